//! Settings of the agent, read from four places. Later places win: built-in values, `/etc`, the user's
//! file, the environment. Command line flags are applied by `main` on top of what this module returns.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    pub listen: String,
    pub upstream: String,
    pub workers: usize,
    pub cache_bytes: u64,
    pub request_timeout: Duration,
    pub log_level: Level,
    pub tls: Option<Tls>,
    pub allow_plain_http: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tls {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

#[derive(Debug)]
pub enum SettingsError {
    Read { path: PathBuf, error: std::io::Error },
    Syntax { path: PathBuf, line: usize, text: String },
    Unknown { key: String, place: String, nearest: Option<&'static str> },
    Value { key: String, place: String, text: String, wanted: &'static str },
    Conflict(String),
}

const KEYS: &[&str] = &[
    "listen",
    "upstream",
    "workers",
    "cache_bytes",
    "request_timeout",
    "log_level",
    "tls_certificate",
    "tls_key",
    "allow_plain_http",
];

const PREFIX: &str = "AGENT_";

/// Where a value came from, kept for `agent config --explain`.
#[derive(Debug, Clone)]
struct Origin {
    value: String,
    place: String,
}

type Layer = BTreeMap<String, Origin>;

pub fn load(home: Option<&Path>) -> Result<Settings, SettingsError> {
    let mut merged = defaults();
    merge(&mut merged, file_layer(Path::new("/etc/agent/agent.conf"))?);
    if let Some(home) = home {
        merge(&mut merged, file_layer(&home.join(".config/agent/agent.conf"))?);
    }
    merge(&mut merged, env_layer(env::vars())?);
    build(&merged)
}

fn defaults() -> Layer {
    let values = [
        ("listen", "127.0.0.1:7070"),
        ("upstream", "https://collector.internal:443"),
        ("workers", "4"),
        ("cache_bytes", "64M"),
        ("request_timeout", "10s"),
        ("log_level", "info"),
        ("allow_plain_http", "false"),
    ];
    values.into_iter().map(|(key, value)| (key.to_string(), origin(value, "built in"))).collect()
}

fn merge(into: &mut Layer, layer: Layer) {
    for (key, origin) in layer {
        into.insert(key, origin);
    }
}

fn file_layer(path: &Path) -> Result<Layer, SettingsError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Layer::new()),
        Err(error) => return Err(SettingsError::Read { path: path.to_path_buf(), error }),
    };
    let mut layer = Layer::new();
    for (index, raw) in text.lines().enumerate() {
        let line = raw.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let Some((key, value)) = line.split_once('=') else {
            return Err(SettingsError::Syntax {
                path: path.to_path_buf(),
                line: index + 1,
                text: raw.to_string(),
            });
        };
        let place = format!("{}:{}", path.display(), index + 1);
        let key = key.trim();
        known(key, &place)?;
        layer.insert(key.to_string(), origin(value.trim().trim_matches('"'), &place));
    }
    Ok(layer)
}

fn env_layer(vars: impl Iterator<Item = (String, String)>) -> Result<Layer, SettingsError> {
    let mut layer = Layer::new();
    for (name, value) in vars {
        let Some(key) = name.strip_prefix(PREFIX) else { continue };
        // An empty variable is how shells and unit files say "not set".
        if value.is_empty() {
            continue;
        }
        let key = key.to_ascii_lowercase();
        known(&key, &format!("${name}"))?;
        layer.insert(key, origin(&value, &format!("${name}")));
    }
    Ok(layer)
}

fn known(key: &str, place: &str) -> Result<(), SettingsError> {
    if KEYS.contains(&key) {
        return Ok(());
    }
    let nearest = KEYS.iter().copied().min_by_key(|candidate| distance(candidate, key));
    Err(SettingsError::Unknown {
        key: key.to_string(),
        place: place.to_string(),
        nearest: nearest.filter(|candidate| distance(candidate, key) <= 3),
    })
}

fn build(layer: &Layer) -> Result<Settings, SettingsError> {
    let tls = match (layer.get("tls_certificate"), layer.get("tls_key")) {
        (Some(certificate), Some(key)) => {
            Some(Tls { certificate: PathBuf::from(&certificate.value), key: PathBuf::from(&key.value) })
        }
        (None, None) => None,
        _ => return Err(SettingsError::Conflict("tls_certificate and tls_key go together".to_string())),
    };
    let settings = Settings {
        listen: text(layer, "listen"),
        upstream: text(layer, "upstream"),
        workers: parse(layer, "workers", "a number from 1 to 256", |value| {
            value.parse().ok().filter(|count| (1..=256).contains(count))
        })?,
        cache_bytes: parse(layer, "cache_bytes", "bytes, e.g. 64M", parse_bytes)?,
        request_timeout: parse(layer, "request_timeout", "a time, e.g. 10s or 1500ms", parse_duration)?,
        log_level: parse(layer, "log_level", "debug, info, warn or error", parse_level)?,
        tls,
        allow_plain_http: parse(layer, "allow_plain_http", "true or false", |value| value.parse().ok())?,
    };
    if settings.upstream.starts_with("http://") && !settings.allow_plain_http {
        return Err(SettingsError::Conflict(
            "upstream is plain http; set allow_plain_http = true if that is meant".to_string(),
        ));
    }
    Ok(settings)
}

fn text(layer: &Layer, key: &str) -> String {
    layer.get(key).map(|origin| origin.value.clone()).unwrap_or_default()
}

fn parse<T>(
    layer: &Layer,
    key: &str,
    wanted: &'static str,
    convert: impl Fn(&str) -> Option<T>,
) -> Result<T, SettingsError> {
    let origin = layer.get(key).expect("every scalar has a built-in value");
    convert(&origin.value).ok_or_else(|| SettingsError::Value {
        key: key.to_string(),
        place: origin.place.clone(),
        text: origin.value.clone(),
        wanted,
    })
}

fn parse_bytes(value: &str) -> Option<u64> {
    let digits = value.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let factor = match value[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(factor)
}

fn parse_duration(value: &str) -> Option<Duration> {
    if let Some(millis) = value.strip_suffix("ms") {
        return millis.parse().ok().map(Duration::from_millis);
    }
    let seconds = value.strip_suffix('s').unwrap_or(value);
    seconds.parse().ok().map(Duration::from_secs)
}

fn parse_level(value: &str) -> Option<Level> {
    match value {
        "debug" => Some(Level::Debug),
        "info" => Some(Level::Info),
        "warn" | "warning" => Some(Level::Warn),
        "error" => Some(Level::Error),
        _ => None,
    }
}

/// Edits between two short words; good enough to say "did you mean".
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in right.iter().enumerate() {
            let substitute = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[right.len()]
}

fn origin(value: &str, place: &str) -> Origin {
    Origin { value: value.to_string(), place: place.to_string() }
}
