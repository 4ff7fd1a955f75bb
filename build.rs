//! Packs the Python packages that the binary brings along, each into one zip archive that is the same on every machine.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    for package in ["tritonsmith_capture", "tritonsmith_worker"] {
        pack(package, &out.join(package).with_extension("zip"))?;
    }
    Ok(())
}

fn pack(package: &str, archive: &Path) -> Result<()> {
    let directory = Path::new("scripts").join(package);
    println!("cargo::rerun-if-changed={}", directory.display());
    let mut files =
        fs::read_dir(&directory)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<PathBuf>>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "py"));
    files.sort();
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut zip = ZipWriter::new(File::create(archive)?);
    for file in files {
        let name = file.file_name().ok_or("a file without a name")?;
        zip.start_file_from_path(Path::new(package).join(name), options)?;
        zip.write_all(&fs::read(file)?)?;
    }
    zip.finish()?;
    Ok(())
}
