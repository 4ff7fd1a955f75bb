class DriverConfig:
    """There is no GPU: asking for the active driver fails until one is set."""

    def __init__(self):
        self._active = None

    @property
    def active(self):
        if self._active is None:
            raise RuntimeError("0 active drivers")
        return self._active

    def set_active(self, driver):
        self._active = driver


driver = DriverConfig()
