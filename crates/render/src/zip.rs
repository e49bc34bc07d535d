//! ZIP archives without compression, for files that are compressed already. Archives of more than 4 GB or 65535 files use
//! ZIP64.

use std::io::{Result, Write};

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END_64: u32 = 0x0606_4b50;
const LOCATOR_64: u32 = 0x0706_4b50;

/// Versions of the format that are needed to read plain files and large archives.
const PLAIN: u16 = 20;
const LARGE: u16 = 45;

/// The first of January 1980: the same archive on every day.
const DATE: u16 = 0x0021;

/// Marks a value that is in the ZIP64 record.
const ELSEWHERE: u32 = u32::MAX;

pub(crate) struct Archive<W> {
    out: W,
    written: u64,
    entries: Vec<Entry>,
}

struct Entry {
    name: String,
    checksum: u32,
    size: u32,
    at: u64,
}

impl<W: Write> Archive<W> {
    pub fn new(out: W) -> Self {
        Self { out, written: 0, entries: Vec::new() }
    }

    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    pub fn add(&mut self, name: &str, file: &[u8]) -> Result<()> {
        let size = u32::try_from(file.len()).ok().filter(|size| *size != ELSEWHERE);
        let Some(size) = size else { return Err(std::io::ErrorKind::FileTooLarge.into()) };
        let entry = Entry { name: name.to_owned(), checksum: checksum(file), size, at: self.written };
        let mut head = Vec::with_capacity(30 + name.len());
        head.extend(LOCAL.to_le_bytes());
        head.extend(PLAIN.to_le_bytes());
        head.extend(entry.facts());
        head.extend((name.len() as u16).to_le_bytes());
        head.extend(0u16.to_le_bytes());
        head.extend(name.as_bytes());
        self.put(&head)?;
        self.put(file)?;
        self.entries.push(entry);
        Ok(())
    }

    /// Writes the list of all files. Nothing may be added after it.
    pub fn finish(&mut self) -> Result<()> {
        let start = self.written;
        let entries = std::mem::take(&mut self.entries);
        for entry in &entries {
            self.put(&entry.listed())?;
        }
        let (count, size) = (entries.len() as u64, self.written - start);
        let mut end = Vec::new();
        if count >= u64::from(u16::MAX) || start >= u64::from(ELSEWHERE) || size >= u64::from(ELSEWHERE) {
            end.extend(END_64.to_le_bytes());
            end.extend(44u64.to_le_bytes());
            end.extend([LARGE, LARGE].map(u16::to_le_bytes).concat());
            end.extend([0u8; 8]);
            end.extend([count, count, size, start].map(u64::to_le_bytes).concat());
            end.extend(LOCATOR_64.to_le_bytes());
            end.extend(0u32.to_le_bytes());
            end.extend(self.written.to_le_bytes());
            end.extend(1u32.to_le_bytes());
        }
        let short = count.min(u64::from(u16::MAX)) as u16;
        end.extend(END.to_le_bytes());
        end.extend([0, 0, short, short].map(u16::to_le_bytes).concat());
        end.extend(
            [size, start]
                .map(|number| number.min(u64::from(ELSEWHERE)) as u32)
                .map(u32::to_le_bytes)
                .concat(),
        );
        end.extend(0u16.to_le_bytes());
        self.put(&end)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.written += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

impl Entry {
    /// What both headers of a file say about it: flags, method, time, checksum and sizes.
    fn facts(&self) -> Vec<u8> {
        let mut facts = [0, 0, 0, DATE].map(u16::to_le_bytes).concat();
        facts.extend([self.checksum, self.size, self.size].map(u32::to_le_bytes).concat());
        facts
    }

    /// Its place in the list at the end.
    fn listed(&self) -> Vec<u8> {
        let far = self.at >= u64::from(ELSEWHERE);
        let version = if far { LARGE } else { PLAIN };
        let mut head = CENTRAL.to_le_bytes().to_vec();
        head.extend([version, version].map(u16::to_le_bytes).concat());
        head.extend(self.facts());
        let extra: u16 = if far { 12 } else { 0 };
        head.extend([self.name.len() as u16, extra, 0, 0, 0].map(u16::to_le_bytes).concat());
        head.extend(0u32.to_le_bytes());
        head.extend((if far { ELSEWHERE } else { self.at as u32 }).to_le_bytes());
        head.extend(self.name.as_bytes());
        if far {
            head.extend([1u16, 8].map(u16::to_le_bytes).concat());
            head.extend(self.at.to_le_bytes());
        }
        head
    }
}

/// CRC-32 as ZIP and PNG have it.
fn checksum(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut value = i as u32;
            let mut bit = 0;
            while bit < 8 {
                value = if value & 1 == 1 { 0xedb8_8320 ^ (value >> 1) } else { value >> 1 };
                bit += 1;
            }
            table[i] = value;
            i += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |sum: u32, byte| TABLE[usize::from(sum as u8 ^ byte)] ^ (sum >> 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_format() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn python_reads_archives_of_any_number_of_files() {
        let folder = tempfile::tempdir().expect("a folder");
        for count in [2, 70_000] {
            let path = folder.path().join("pictures.zip");
            let mut archive =
                Archive::new(std::io::BufWriter::new(std::fs::File::create(&path).expect("a file")));
            for i in 0..count {
                archive.add(&format!("frame-{i:06}.png"), format!("picture {i}").as_bytes()).expect("adds");
            }
            archive.finish().and_then(|()| archive.get_mut().flush()).expect("finishes");
            let script = "import sys, zipfile\n\
                          z = zipfile.ZipFile(sys.argv[1])\n\
                          assert z.testzip() is None\n\
                          n = z.namelist()\n\
                          print(len(n), n[-1], z.read(n[-1]).decode())";
            let said = std::process::Command::new("python3")
                .args(["-c", script])
                .arg(&path)
                .output()
                .expect("python");
            let last = count - 1;
            assert_eq!(
                String::from_utf8_lossy(&said.stdout).trim(),
                format!("{count} frame-{last:06}.png picture {last}"),
                "{}",
                String::from_utf8_lossy(&said.stderr)
            );
        }
    }
}
