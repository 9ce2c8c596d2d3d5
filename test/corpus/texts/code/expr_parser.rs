//! Parses the filter language of saved searches, e.g. `status = "open" and (age > 3d or not assignee)`.

use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    Compare { field: String, op: Op, value: Value },
    Has(String),
    Not(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Contains,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Text(String),
    Number(f64),
    Seconds(u64),
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Number(f64),
    Seconds(u64),
    Op(Op),
    Open,
    Close,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    pub message: String,
    pub at: usize,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at character {}", self.message, self.at + 1)
    }
}

impl std::error::Error for ParseError {}

const MAX_DEPTH: usize = 64;

pub fn parse(source: &str) -> Result<Expr, ParseError> {
    let tokens = tokenize(source)?;
    let mut parser = Parser { tokens: &tokens, position: 0, depth: 0, end: source.len() };
    let expr = parser.or()?;
    match parser.peek() {
        None => Ok(expr),
        Some((at, token)) => Err(error(format!("unexpected {}", describe(token)), *at)),
    }
}

fn tokenize(source: &str) -> Result<Vec<(usize, Token)>, ParseError> {
    let bytes = source.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let token = match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\r' => {
                at += 1;
                continue;
            }
            b'(' => single(&mut at, Token::Open),
            b')' => single(&mut at, Token::Close),
            b'~' => single(&mut at, Token::Op(Op::Contains)),
            b'=' => single(&mut at, Token::Op(Op::Eq)),
            b'!' if bytes.get(at + 1) == Some(&b'=') => double(&mut at, Token::Op(Op::Ne)),
            b'<' if bytes.get(at + 1) == Some(&b'=') => double(&mut at, Token::Op(Op::Le)),
            b'>' if bytes.get(at + 1) == Some(&b'=') => double(&mut at, Token::Op(Op::Ge)),
            b'<' => single(&mut at, Token::Op(Op::Lt)),
            b'>' => single(&mut at, Token::Op(Op::Gt)),
            b'"' => quoted(source, &mut at)?,
            b'0'..=b'9' => number(source, &mut at)?,
            byte if byte.is_ascii_alphabetic() || byte == b'_' => word(source, &mut at),
            _ => {
                let strange = source[at..].chars().next().unwrap_or('?');
                return Err(error(format!("unexpected character {strange:?}"), at));
            }
        };
        tokens.push((start, token));
    }
    Ok(tokens)
}

fn single(at: &mut usize, token: Token) -> Token {
    *at += 1;
    token
}

fn double(at: &mut usize, token: Token) -> Token {
    *at += 2;
    token
}

fn quoted(source: &str, at: &mut usize) -> Result<Token, ParseError> {
    let start = *at;
    let mut text = String::new();
    let mut chars = source[start + 1..].char_indices();
    while let Some((offset, char)) = chars.next() {
        match char {
            '"' => {
                *at = start + 1 + offset + 1;
                return Ok(Token::Text(text));
            }
            '\\' => match chars.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                Some((place, other)) => {
                    return Err(error(format!("unknown escape \\{other}"), start + 1 + place));
                }
                None => break,
            },
            other => text.push(other),
        }
    }
    Err(error("text without a closing quote".to_string(), start))
}

/// A number, or a span of time when a unit follows at once: 90s, 15m, 6h, 3d, 2w.
fn number(source: &str, at: &mut usize) -> Result<Token, ParseError> {
    let start = *at;
    let rest = &source[start..];
    let length = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let value: f64 =
        rest[..length].parse().map_err(|_| error(format!("{:?} is no number", &rest[..length]), start))?;
    *at += length;
    let seconds_per_unit = match rest.as_bytes().get(length) {
        Some(b's') => 1,
        Some(b'm') => 60,
        Some(b'h') => 3_600,
        Some(b'd') => 86_400,
        Some(b'w') => 604_800,
        _ => return Ok(Token::Number(value)),
    };
    *at += 1;
    Ok(Token::Seconds((value * seconds_per_unit as f64).round() as u64))
}

fn word(source: &str, at: &mut usize) -> Token {
    let rest = &source[*at..];
    let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
    *at += length;
    Token::Word(rest[..length].to_string())
}

struct Parser<'a> {
    tokens: &'a [(usize, Token)],
    position: usize,
    depth: usize,
    end: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a (usize, Token)> {
        self.tokens.get(self.position)
    }

    fn next(&mut self) -> Option<&'a (usize, Token)> {
        let token = self.tokens.get(self.position);
        self.position += 1;
        token
    }

    fn keyword(&mut self, wanted: &str) -> bool {
        match self.peek() {
            Some((_, Token::Word(word))) if word.eq_ignore_ascii_case(wanted) => {
                self.position += 1;
                true
            }
            _ => false,
        }
    }

    fn or(&mut self) -> Result<Expr, ParseError> {
        let mut parts = vec![self.and()?];
        while self.keyword("or") {
            parts.push(self.and()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::Or(parts) })
    }

    fn and(&mut self) -> Result<Expr, ParseError> {
        let mut parts = vec![self.not()?];
        while self.keyword("and") {
            parts.push(self.not()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::And(parts) })
    }

    fn not(&mut self) -> Result<Expr, ParseError> {
        if self.keyword("not") {
            return Ok(Expr::Not(Box::new(self.guarded(Self::not)?)));
        }
        self.primary()
    }

    /// Saved searches come from strangers: a thousand open brackets must not end the process.
    fn guarded(&mut self, inner: fn(&mut Self) -> Result<Expr, ParseError>) -> Result<Expr, ParseError> {
        if self.depth == MAX_DEPTH {
            let at = self.peek().map_or(self.end, |(at, _)| *at);
            return Err(error(format!("nested more than {MAX_DEPTH} levels deep"), at));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn primary(&mut self) -> Result<Expr, ParseError> {
        match self.next() {
            Some((open, Token::Open)) => {
                let expr = self.guarded(Self::or)?;
                match self.next() {
                    Some((_, Token::Close)) => Ok(expr),
                    _ => Err(error("bracket is never closed".to_string(), *open)),
                }
            }
            Some((_, Token::Word(field))) => self.comparison(field),
            Some((at, token)) => Err(error(format!("expected a field, found {}", describe(token)), *at)),
            None => Err(error("expected a field".to_string(), self.end)),
        }
    }

    fn comparison(&mut self, field: &str) -> Result<Expr, ParseError> {
        let Some((_, Token::Op(op))) = self.peek() else {
            return Ok(Expr::Has(field.to_string()));
        };
        self.position += 1;
        let value = match self.next() {
            Some((_, Token::Text(text))) => Value::Text(text.clone()),
            Some((_, Token::Number(number))) => Value::Number(*number),
            Some((_, Token::Seconds(seconds))) => Value::Seconds(*seconds),
            // An unquoted word is what people type first, so it is taken as text.
            Some((_, Token::Word(word))) => Value::Text(word.clone()),
            Some((at, token)) => return Err(error(format!("expected a value, found {}", describe(token)), *at)),
            None => return Err(error("expected a value".to_string(), self.end)),
        };
        Ok(Expr::Compare { field: field.to_string(), op: *op, value })
    }
}

fn describe(token: &Token) -> String {
    match token {
        Token::Word(word) => format!("{word:?}"),
        Token::Text(_) => "a text".to_string(),
        Token::Number(number) => number.to_string(),
        Token::Seconds(seconds) => format!("{seconds} seconds"),
        Token::Op(_) => "an operator".to_string(),
        Token::Open => "(".to_string(),
        Token::Close => ")".to_string(),
    }
}

fn error(message: String, at: usize) -> ParseError {
    ParseError { message, at }
}
