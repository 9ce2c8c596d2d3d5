//! A write-ahead log: every change is appended here and synced before anybody is told that it happened.
//!
//! A log is a directory of segment files. A record is `length | crc | payload`, little endian. After a
//! crash the last segment may end in half a record, which is cut off when the log is opened again.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const HEADER: usize = 8;
const MAX_RECORD: u32 = 16 * 1024 * 1024;
const DEFAULT_SEGMENT: u64 = 64 * 1024 * 1024;

/// Position of a record: grows by one with every append, over all segments.
pub type Sequence = u64;

#[derive(Debug)]
pub enum LogError {
    Io(io::Error),
    TooLarge(usize),
    Corrupt { segment: PathBuf, offset: u64 },
    Poisoned,
}

impl From<io::Error> for LogError {
    fn from(error: io::Error) -> Self {
        LogError::Io(error)
    }
}

impl std::fmt::Display for LogError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LogError::Io(error) => write!(f, "log: {error}"),
            LogError::TooLarge(size) => write!(f, "log: a record of {size} bytes is too large"),
            LogError::Corrupt { segment, offset } => {
                write!(f, "log: {} is damaged at byte {offset}", segment.display())
            }
            LogError::Poisoned => write!(f, "log: an earlier sync failed, nothing can be promised any more"),
        }
    }
}

impl std::error::Error for LogError {}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sync {
    /// Each append waits for the disk.
    Always,
    /// The caller says when.
    Manual,
}

#[derive(Debug, Clone)]
pub struct Options {
    pub segment_bytes: u64,
    pub sync: Sync,
}

impl Default for Options {
    fn default() -> Self {
        Options { segment_bytes: DEFAULT_SEGMENT, sync: Sync::Always }
    }
}

pub struct Log {
    directory: PathBuf,
    options: Options,
    /// First sequence of every segment.
    segments: BTreeMap<Sequence, PathBuf>,
    current: File,
    current_bytes: u64,
    next: Sequence,
    synced: Sequence,
    poisoned: bool,
}

impl Log {
    pub fn open(directory: &Path, options: Options) -> Result<Log, LogError> {
        fs::create_dir_all(directory)?;
        let mut segments = list_segments(directory)?;
        if segments.is_empty() {
            segments.insert(1, segment_path(directory, 1));
        }
        let (&first, last_path) = segments.iter().next_back().expect("never empty");
        let (records, good_bytes) = recover(last_path)?;
        let mut current = OpenOptions::new().create(true).read(true).append(true).open(last_path)?;
        current.set_len(good_bytes)?;
        current.seek(SeekFrom::End(0))?;
        current.sync_all()?;
        sync_directory(directory)?;
        let next = first + records;
        Ok(Log {
            directory: directory.to_path_buf(),
            options,
            current,
            current_bytes: good_bytes,
            next,
            synced: next - 1,
            segments,
            poisoned: false,
        })
    }

    /// Appends one record and returns its sequence. With `Sync::Always` it is on disk when this returns.
    pub fn append(&mut self, payload: &[u8]) -> Result<Sequence, LogError> {
        if self.poisoned {
            return Err(LogError::Poisoned);
        }
        if payload.len() > MAX_RECORD as usize {
            return Err(LogError::TooLarge(payload.len()));
        }
        if self.current_bytes >= self.options.segment_bytes {
            self.rotate()?;
        }
        let mut frame = Vec::with_capacity(HEADER + payload.len());
        frame.extend_from_slice(&(payload.len() as u32).to_le_bytes());
        frame.extend_from_slice(&crc32(payload).to_le_bytes());
        frame.extend_from_slice(payload);
        if let Err(error) = self.current.write_all(&frame) {
            // Half a frame may be in the file; the next append must not come after it.
            self.current.set_len(self.current_bytes)?;
            return Err(error.into());
        }
        self.current_bytes += frame.len() as u64;
        let sequence = self.next;
        self.next += 1;
        if self.options.sync == Sync::Always {
            self.sync()?;
        }
        Ok(sequence)
    }

    /// Waits until everything appended so far is on disk.
    pub fn sync(&mut self) -> Result<Sequence, LogError> {
        if self.synced + 1 == self.next {
            return Ok(self.synced);
        }
        if let Err(error) = self.current.sync_data() {
            // The kernel drops dirty pages after a failed sync, so a second attempt would succeed and lie.
            self.poisoned = true;
            return Err(error.into());
        }
        self.synced = self.next - 1;
        Ok(self.synced)
    }

    /// Calls `visit` for every record from `from` on.
    pub fn replay<F>(&self, from: Sequence, mut visit: F) -> Result<(), LogError>
    where
        F: FnMut(Sequence, &[u8]) -> Result<(), LogError>,
    {
        let start = self.segments.range(..=from).next_back().map_or(1, |(&first, _)| first);
        for (&first, path) in self.segments.range(start..) {
            let mut reader = BufReader::new(File::open(path)?);
            let mut sequence = first;
            let mut offset = 0;
            while let Some(payload) = read_record(&mut reader).map_err(|kind| match kind {
                ReadError::Io(error) => LogError::Io(error),
                ReadError::Damaged => LogError::Corrupt { segment: path.clone(), offset },
            })? {
                offset += (HEADER + payload.len()) as u64;
                if sequence >= from {
                    visit(sequence, &payload)?;
                }
                sequence += 1;
            }
        }
        Ok(())
    }

    /// Deletes segments all of whose records come before `keep`.
    pub fn truncate_before(&mut self, keep: Sequence) -> Result<usize, LogError> {
        let firsts: Vec<Sequence> = self.segments.keys().copied().collect();
        let mut deleted = 0;
        for pair in firsts.windows(2) {
            let [first, following] = [pair[0], pair[1]];
            if following > keep {
                break;
            }
            if let Some(path) = self.segments.remove(&first) {
                fs::remove_file(path)?;
                deleted += 1;
            }
        }
        if deleted > 0 {
            sync_directory(&self.directory)?;
        }
        Ok(deleted)
    }

    pub fn last_sequence(&self) -> Sequence {
        self.next - 1
    }

    fn rotate(&mut self) -> Result<(), LogError> {
        self.sync()?;
        let path = segment_path(&self.directory, self.next);
        self.current = OpenOptions::new().create_new(true).read(true).append(true).open(&path)?;
        sync_directory(&self.directory)?;
        self.segments.insert(self.next, path);
        self.current_bytes = 0;
        Ok(())
    }
}

enum ReadError {
    Io(io::Error),
    Damaged,
}

/// Counts the whole records at the start of a segment and the bytes they take.
fn recover(path: &Path) -> Result<(u64, u64), LogError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((0, 0)),
        Err(error) => return Err(error.into()),
    };
    let mut reader = BufReader::new(file);
    let (mut records, mut bytes) = (0, 0);
    loop {
        match read_record(&mut reader) {
            Ok(Some(payload)) => {
                records += 1;
                bytes += (HEADER + payload.len()) as u64;
            }
            Ok(None) | Err(ReadError::Damaged) => return Ok((records, bytes)),
            Err(ReadError::Io(error)) => return Err(error.into()),
        }
    }
}

fn read_record(reader: &mut impl Read) -> Result<Option<Vec<u8>>, ReadError> {
    let mut header = [0u8; HEADER];
    match read_full(reader, &mut header) {
        Ok(0) => return Ok(None),
        Ok(HEADER) => {}
        Ok(_) => return Err(ReadError::Damaged),
        Err(error) => return Err(ReadError::Io(error)),
    }
    let length = u32::from_le_bytes([header[0], header[1], header[2], header[3]]);
    let expected = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    if length > MAX_RECORD {
        return Err(ReadError::Damaged);
    }
    let mut payload = vec![0u8; length as usize];
    match read_full(reader, &mut payload) {
        Ok(read) if read == payload.len() => {}
        Ok(_) => return Err(ReadError::Damaged),
        Err(error) => return Err(ReadError::Io(error)),
    }
    if crc32(&payload) != expected {
        return Err(ReadError::Damaged);
    }
    Ok(Some(payload))
}

fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

fn list_segments(directory: &Path) -> Result<BTreeMap<Sequence, PathBuf>, LogError> {
    let mut segments = BTreeMap::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        if path.extension().is_some_and(|extension| extension == "wal") {
            if let Ok(first) = stem.parse() {
                segments.insert(first, path);
            }
        }
    }
    Ok(segments)
}

fn segment_path(directory: &Path, first: Sequence) -> PathBuf {
    directory.join(format!("{first:020}.wal"))
}

/// A new or deleted file is only safe once its directory is.
fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = !0u32;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_off_half_a_record() {
        let directory = std::env::temp_dir().join("wal-half");
        let _ = fs::remove_dir_all(&directory);
        let mut log = Log::open(&directory, Options::default()).unwrap();
        log.append(b"one").unwrap();
        log.append(b"two").unwrap();
        drop(log);
        let path = segment_path(&directory, 1);
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(file.metadata().unwrap().len() - 1).unwrap();
        let log = Log::open(&directory, Options::default()).unwrap();
        assert_eq!(log.last_sequence(), 1);
    }
}
