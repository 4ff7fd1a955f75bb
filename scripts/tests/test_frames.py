"""The protocol's frames, what is printed, and the page that a child shares with its parent."""
from __future__ import annotations

import os
import socket
import struct
import threading
import unittest

from tritonsmith_worker import frames, printed, progress


class Frames(unittest.TestCase):
    def setUp(self) -> None:
        self.ours, self.theirs = socket.socketpair()
        self.addCleanup(self.ours.close)
        self.addCleanup(self.theirs.close)

    def test_a_frame_is_its_length_and_json(self) -> None:
        frames.write_frame(self.ours.fileno(), {"id": 1})
        self.assertEqual(self.theirs.recv(100), b'\x09\x00\x00\x00{"id": 1}')

    def test_a_frame_longer_than_the_buffers_arrives_whole(self) -> None:
        value = {"text": "x" * (5 << 20)}
        writer = threading.Thread(target=frames.write_frame, args=(self.ours.fileno(), value))
        writer.start()
        data = frames.read_frame(self.theirs.fileno())
        writer.join()
        self.assertEqual(len(data or b""), (5 << 20) + len('{"text": ""}'))

    def test_a_stream_that_ends_in_a_frame_has_no_more_of_them(self) -> None:
        for begin in (b"", b"\x09\x00", struct.pack("<I", 9) + b"{"):
            ours, theirs = socket.socketpair()
            ours.sendall(begin)
            ours.close()
            self.assertIsNone(frames.read_frame(theirs.fileno()))
            theirs.close()

    def test_a_reset_is_an_end(self) -> None:
        self.theirs.sendall(b"never read")
        self.ours.close()
        self.assertIsNone(frames.read_frame(self.theirs.fileno()))


class Printed(unittest.TestCase):
    def setUp(self) -> None:
        self.file = printed.PrintedFile()
        self.addCleanup(self.file.close)

    def test_the_input_has_a_name_for_readers(self) -> None:
        os.write(self.file.fd, b'loc("/proc/self/fd/100":1:2): error: \xff')
        self.assertEqual(self.file.text(), 'loc("input.mlir":1:2): error: \ufffd')
        self.assertEqual(self.file.text(30), "error: \ufffd"[-len(self.file.text(30)):])

    def test_the_middle_of_long_text_is_left_out(self) -> None:
        os.write(self.file.fd, b"a" * printed.KEPT + b"b" * 100 + b"c" * printed.KEPT)
        text = self.file.text()
        self.assertEqual(text, "a" * printed.KEPT + "\n... 100 bytes left out ...\n" + "c" * printed.KEPT)

    def test_what_is_cut_is_forgotten(self) -> None:
        os.write(self.file.fd, b"keep")
        size = self.file.size()
        os.write(self.file.fd, b" forget")
        self.file.cut(size)
        self.assertEqual(self.file.text(), "keep")


class Page(unittest.TestCase):
    def test_another_process_sees_where_a_child_died(self) -> None:
        page = progress.Progress()
        self.addCleanup(page.close)
        child = os.fork()
        if child == 0:
            page.set(progress.BUSY, request=7)
            page.at("run", 3, "tritongpu-cœur" * 1000)
            os._exit(0)
        os.waitpid(child, 0)
        state = page.get()
        self.assertEqual(state[:4], (progress.BUSY, "run", 3, 7))
        self.assertTrue(state.text.startswith("tritongpu-cœur"))
