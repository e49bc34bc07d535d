//! How one kind of value is read from JSON, written back and described: the words the field tables are made of.

use std::marker::PhantomData;

use serde_json::{Map, Number, Value, json};

use crate::problem::ProblemKind;
use crate::reader::{Object, Reader};
use crate::record::{Choice, Record};

/// Definitions of named objects gathered while a schema is described.
pub(crate) type Definitions = Map<String, Value>;

pub(crate) trait Codec {
    type Out: Clone + PartialEq;

    /// `None` means that a problem was noted.
    fn read(&self, value: &Value, reader: &mut Reader) -> Option<Self::Out>;
    fn write(&self, out: &Self::Out) -> Value;
    fn schema(&self, definitions: &mut Definitions) -> Value;
    /// What belongs here, to end a sentence with.
    fn expected(&self) -> String;
}

/// Positions, sizes and other numbers without a range of their own stay within this, so that later arithmetic
/// cannot overflow.
pub(crate) const FAR: f64 = 1e6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beyond {
    Clamp,
    Refuse,
}

// ---- strings

#[derive(Debug, Clone, Copy)]
pub(crate) struct Text {
    numbers: bool,
    most: usize,
}

/// A string and nothing else.
pub(crate) fn text() -> Text {
    Text { numbers: false, most: usize::MAX }
}

/// A CSS value: a string, or a number that stands for itself.
pub(crate) fn style() -> Text {
    Text { numbers: true, most: usize::MAX }
}

impl Text {
    /// Refuses more than `most` characters.
    pub(crate) fn at_most(self, most: usize) -> Self {
        Self { most, ..self }
    }
}

impl Codec for Text {
    type Out = String;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<String> {
        match value {
            Value::String(text) if text.len() > self.most && text.chars().count() > self.most => {
                reader.refuse(ProblemKind::OutOfRange, value, format!("at most {} characters", self.most))
            }
            Value::String(text) => Some(text.clone()),
            Value::Number(number) if self.numbers => Some(plain_number(number)),
            other => reader.refuse(ProblemKind::WrongType, other, self.expected()),
        }
    }

    fn write(&self, out: &String) -> Value {
        Value::String(out.clone())
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        let mut schema =
            if self.numbers { json!({"type": ["string", "number"]}) } else { json!({"type": "string"}) };
        if self.most != usize::MAX {
            schema["maxLength"] = json!(self.most);
        }
        schema
    }

    fn expected(&self) -> String {
        if self.numbers { "a string or a number" } else { "a string" }.to_owned()
    }
}

/// A number as an author would write it: `24`, not `24.0`.
pub(crate) fn plain_number(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => float.to_string(),
        _ => number.to_string(),
    }
}

// ---- booleans

#[derive(Debug, Clone, Copy)]
pub(crate) struct Flag;

pub(crate) fn flag() -> Flag {
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

// ---- numbers

#[derive(Debug, Clone, Copy)]
pub(crate) struct Float {
    least: f64,
    most: f64,
    below: Beyond,
    above: Beyond,
}

/// A finite number, clamped to ±1e6.
pub(crate) fn number() -> Float {
    Float { least: -FAR, most: FAR, below: Beyond::Clamp, above: Beyond::Clamp }
}

/// A length or time that cannot be negative, clamped to 0..=1e6.
pub(crate) fn amount() -> Float {
    number().between(0.0, FAR)
}

impl Float {
    /// Clamps to this range.
    pub(crate) fn between(self, least: f64, most: f64) -> Self {
        Self { least, most, below: Beyond::Clamp, above: Beyond::Clamp }
    }

    /// Refuses what lies outside this range.
    pub(crate) fn within(self, least: f64, most: f64) -> Self {
        Self { least, most, below: Beyond::Refuse, above: Beyond::Refuse }
    }

    /// Refuses what lies below, and clamps what lies far above.
    pub(crate) fn at_least(self, least: f64) -> Self {
        Self { least, below: Beyond::Refuse, ..self }
    }
}

impl Codec for Float {
    type Out = f64;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<f64> {
        let Some(number) = value.as_f64().filter(|number| number.is_finite()) else {
            return reader.refuse(ProblemKind::WrongType, value, self.expected());
        };
        let below = number < self.least && self.below == Beyond::Refuse;
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
            schema["minimum"] = write_f64(self.least);
        }
        if self.most != FAR {
            schema["maximum"] = write_f64(self.most);
        }
        schema
    }

    fn expected(&self) -> String {
        match (self.below, self.above) {
            (Beyond::Refuse, Beyond::Refuse) => format!("a number from {} to {}", self.least, self.most),
            (Beyond::Refuse, Beyond::Clamp) => format!("a number of at least {}", self.least),
            _ => "a number".to_owned(),
        }
    }
}

pub(crate) fn write_f64(number: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < EXACT {
        Value::from(number as i64)
    } else {
        Number::from_f64(number).map_or(Value::Null, Value::Number)
    }
}

/// Whole numbers of type `T`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Whole<T> {
    least: i64,
    most: i64,
    /// A number with a fraction is rounded rather than refused.
    rounds: bool,
    below: Beyond,
    above: Beyond,
    out: PhantomData<T>,
}

/// A whole number that is refused outside `least..=most`. It may be written `15.0`.
pub(crate) fn integer<T>(least: i64, most: i64) -> Whole<T> {
    Whole { least, most, rounds: false, below: Beyond::Refuse, above: Beyond::Refuse, out: PhantomData }
}

/// A count: rounded and clamped to `least..=most`.
pub(crate) fn count<T>(least: i64, most: i64) -> Whole<T> {
    Whole { least, most, rounds: true, below: Beyond::Clamp, above: Beyond::Clamp, out: PhantomData }
}

/// The last frame number anything can name.
const LAST_FRAME: i64 = 10_000_000;

/// A position in time in frames, rounded to a whole one.
pub(crate) fn frame() -> Whole<i64> {
    count(-LAST_FRAME, LAST_FRAME)
}

/// A length in frames: rounded, refused below zero.
pub(crate) fn frames() -> Whole<u32> {
    Whole { below: Beyond::Refuse, ..count(0, LAST_FRAME) }
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
        T::try_from(whole).ok()
    }

    fn write(&self, out: &T) -> Value {
        let whole: i64 = (*out).into();
        Value::from(whole)
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        let mut schema = json!({"type": if self.rounds { "number" } else { "integer" }});
        if self.least != -LAST_FRAME {
            schema["minimum"] = json!(self.least);
        }
        if self.most != LAST_FRAME {
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

// ---- closed lists, arrays, objects

#[derive(Debug, Clone, Copy)]
pub(crate) struct OneOf<T>(PhantomData<T>);

/// One of a closed list of names.
pub(crate) fn one_of<T: Choice>() -> OneOf<T> {
    OneOf(PhantomData)
}

impl<T: Choice> Codec for OneOf<T> {
    type Out = T;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<T> {
        let Some(name) = value.as_str() else {
            return reader.refuse(ProblemKind::WrongType, value, self.expected());
        };
        match T::from_name(name) {
            Some(choice) => Some(choice),
            None => reader.refuse(T::REFUSAL, value, self.expected()),
        }
    }

    fn write(&self, out: &T) -> Value {
        Value::from(out.name())
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        json!({"type": "string", "enum": T::ALL.iter().map(|choice| choice.name()).collect::<Vec<_>>()})
    }

    fn expected(&self) -> String {
        let names: Vec<&str> = T::ALL.iter().map(|choice| choice.name()).collect();
        format!("one of {}", names.join(", "))
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct List<C>(C);

pub(crate) fn list<C: Codec>(item: C) -> List<C> {
    List(item)
}

impl<C: Codec> Codec for List<C> {
    type Out = Vec<C::Out>;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<Self::Out> {
        let Some(items) = value.as_array() else {
            return reader.refuse(ProblemKind::WrongType, value, self.expected());
        };
        let mut out = Some(Vec::with_capacity(items.len()));
        for (index, item) in items.iter().enumerate() {
            let read = reader.at_index(index, |reader| self.0.read(item, reader));
            match (&mut out, read) {
                (Some(list), Some(item)) => list.push(item),
                (_, None) => out = None,
                (None, _) => {}
            }
        }
        out
    }

    fn write(&self, out: &Self::Out) -> Value {
        out.iter().map(|item| self.0.write(item)).collect()
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        json!({"type": "array", "items": self.0.schema(definitions)})
    }

    fn expected(&self) -> String {
        "an array".to_owned()
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Nested<T>(PhantomData<T>);

/// An object with a field table of its own.
pub(crate) fn object<T: Record>() -> Nested<T> {
    Nested(PhantomData)
}

impl<T: Record> Codec for Nested<T> {
    type Out = T;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<T> {
        let mut object = Object::open(value, reader)?;
        let record = T::read_fields(&mut object, reader);
        object.close(reader);
        record
    }

    fn write(&self, out: &T) -> Value {
        let mut fields = Map::new();
        out.write_fields(&mut fields);
        Value::Object(fields)
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        if !definitions.contains_key(T::NAME) {
            let mut shape = crate::record::Shape::new(definitions);
            T::describe(&mut shape);
            let schema = shape.finish(T::ABOUT);
            definitions.insert(T::NAME.to_owned(), schema);
        }
        json!({"$ref": format!("#/$defs/{}", T::NAME)})
    }

    fn expected(&self) -> String {
        "an object".to_owned()
    }
}
