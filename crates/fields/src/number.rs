//! Booleans and numbers. Every number is finite and within a range that later arithmetic can rely on.

use std::marker::PhantomData;

use serde_json::{Number, Value, json};

use crate::codec::{Codec, Definitions};
use crate::problem::ProblemKind;
use crate::reader::Reader;

/// Numbers without a range of their own are clamped to ± this.
const FAR: f64 = 1e6;
/// Whole numbers without a range of their own are clamped to ± this.
const FAR_WHOLE: i64 = 10_000_000;

/// What happens to a number outside its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beyond {
    Clamp,
    Refuse,
    /// The bound itself is refused too.
    RefuseBound,
}

/// `true` or `false`. Made by [`flag`].
#[derive(Debug, Clone, Copy)]
pub struct Flag;

pub fn flag() -> Flag {
    Flag
}

impl Codec for Flag {
    type Out = bool;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<bool> {
        match value {
            Value::Bool(flag) => Some(*flag),
            other => reader.refuse(ProblemKind::WrongType, other, self.expected()),
        }
    }

    fn write(&self, out: &bool) -> Value {
        Value::Bool(*out)
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        json!({"type": "boolean"})
    }

    fn expected(&self) -> String {
        "true or false".to_owned()
    }
}

/// A finite number. Made by [`number`].
#[derive(Debug, Clone, Copy)]
pub struct Float {
    least: f64,
    most: f64,
    below: Beyond,
    above: Beyond,
}

/// A finite number, clamped to ±1e6.
pub fn number() -> Float {
    Float { least: -FAR, most: FAR, below: Beyond::Clamp, above: Beyond::Clamp }
}

/// A length or time that cannot be negative, clamped to 0..=1e6.
pub fn amount() -> Float {
    number().between(0.0, FAR)
}

impl Float {
    /// Clamps to this range.
    pub fn between(self, least: f64, most: f64) -> Self {
        Self { least, most, below: Beyond::Clamp, above: Beyond::Clamp }
    }

    /// Refuses numbers outside this range.
    pub fn within(self, least: f64, most: f64) -> Self {
        Self { least, most, below: Beyond::Refuse, above: Beyond::Refuse }
    }

    /// Refuses numbers below `least` and clamps those far above.
    pub fn at_least(self, least: f64) -> Self {
        Self { least, below: Beyond::Refuse, ..self }
    }

    /// Refuses `least` and numbers below, and clamps those far above.
    pub fn above(self, least: f64) -> Self {
        Self { least, below: Beyond::RefuseBound, ..self }
    }
}

impl Codec for Float {
    type Out = f64;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<f64> {
        let Some(number) = value.as_f64().filter(|number| number.is_finite()) else {
            return reader.refuse(ProblemKind::WrongType, value, self.expected());
        };
        let below = match self.below {
            Beyond::Clamp => false,
            Beyond::Refuse => number < self.least,
            Beyond::RefuseBound => number <= self.least,
        };
        let above = number > self.most && self.above == Beyond::Refuse;
        if below || above {
            return reader.refuse(ProblemKind::OutOfRange, value, self.expected());
        }
        // Adding zero turns −0 into 0.
        Some(number.clamp(self.least, self.most) + 0.0)
    }

    fn write(&self, out: &f64) -> Value {
        write_f64(*out)
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        let mut schema = json!({"type": "number"});
        if self.least != -FAR {
            let key = if self.below == Beyond::RefuseBound { "exclusiveMinimum" } else { "minimum" };
            schema[key] = write_f64(self.least);
        }
        if self.most != FAR {
            schema["maximum"] = write_f64(self.most);
        }
        schema
    }

    fn expected(&self) -> String {
        match (self.below, self.above) {
            (Beyond::Refuse, Beyond::Refuse) => format!("a number from {} to {}", self.least, self.most),
            (Beyond::Refuse, _) => format!("a number of at least {}", self.least),
            (Beyond::RefuseBound, _) => format!("a number above {}", self.least),
            (Beyond::Clamp, _) => "a number".to_owned(),
        }
    }
}

/// A whole number of type `T`. Made by [`integer`], [`count`] and [`whole`].
#[derive(Debug, Clone, Copy)]
pub struct Whole<T> {
    least: i64,
    most: i64,
    /// A number with a fraction is rounded rather than refused.
    rounds: bool,
    below: Beyond,
    above: Beyond,
    out: PhantomData<T>,
}

/// A whole number, refused outside `least..=most`. It may be written `15.0`.
pub fn integer<T>(least: i64, most: i64) -> Whole<T> {
    Whole { least, most, rounds: false, below: Beyond::Refuse, above: Beyond::Refuse, out: PhantomData }
}

/// A number, rounded and clamped to `least..=most`.
pub fn count<T>(least: i64, most: i64) -> Whole<T> {
    Whole { least, most, rounds: true, below: Beyond::Clamp, above: Beyond::Clamp, out: PhantomData }
}

/// A number, rounded and clamped to ±10 million.
pub fn whole<T>() -> Whole<T> {
    count(-FAR_WHOLE, FAR_WHOLE)
}

impl<T> Whole<T> {
    /// Refuses numbers below `least`.
    pub fn at_least(self, least: i64) -> Self {
        Self { least, below: Beyond::Refuse, ..self }
    }
}

impl<T: Copy + PartialEq + TryFrom<i64> + Into<i64>> Codec for Whole<T> {
    type Out = T;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<T> {
        let Some(number) = value.as_f64().filter(|number| number.is_finite()) else {
            return reader.refuse(ProblemKind::WrongType, value, self.expected());
        };
        if number.fract() != 0.0 && !self.rounds {
            return reader.refuse(ProblemKind::WrongType, value, self.expected());
        }
        let below = number < self.least as f64 && self.below == Beyond::Refuse;
        let above = number > self.most as f64 && self.above == Beyond::Refuse;
        if below || above {
            return reader.refuse(ProblemKind::OutOfRange, value, self.expected());
        }
        let whole = (number.round() as i64).clamp(self.least, self.most);
        match T::try_from(whole) {
            Ok(out) => Some(out),
            Err(_) => reader.refuse(ProblemKind::OutOfRange, value, self.expected()),
        }
    }

    fn write(&self, out: &T) -> Value {
        let whole: i64 = (*out).into();
        Value::from(whole)
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        let mut schema = json!({"type": if self.rounds { "number" } else { "integer" }});
        if self.least != -FAR_WHOLE {
            schema["minimum"] = json!(self.least);
        }
        if self.most != FAR_WHOLE {
            schema["maximum"] = json!(self.most);
        }
        schema
    }

    fn expected(&self) -> String {
        let kind = if self.rounds { "a number" } else { "a whole number" };
        match (self.below, self.above) {
            (Beyond::Refuse, Beyond::Refuse) => format!("{kind} from {} to {}", self.least, self.most),
            (Beyond::Refuse, Beyond::Clamp) => format!("{kind} of at least {}", self.least),
            _ => kind.to_owned(),
        }
    }
}

/// A number as an author would write it: `24`, not `24.0`.
pub fn plain_number(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => float.to_string(),
        _ => number.to_string(),
    }
}

/// A number as JSON, whole numbers without a fraction.
pub fn write_f64(number: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < EXACT {
        Value::from(number as i64)
    } else {
        Number::from_f64(number).map_or(Value::Null, Value::Number)
    }
}
