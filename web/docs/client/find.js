/** Finding entries of the search index. What it needs of a page is in search.js; the build uses `wordsOf` and `isPlain`. */

/** Words that say nothing about what is looked for. */
const PLAIN = new Set(
  `a about after all an and any are as at be because been before both but by can could do does each for from had has have how i if in into is it its like me more
  most my need no not of off on one only or other our out over same should so some such than that the their them then there these they this those to too under up
  use used uses using want was way we were what when where which who whose why will with within without would you your`.split(
    /\s+/,
  ),
);
/** Words of requests to a person. They stay in the index: some are in names of operations. */
const ASKED = new Set(["add", "apply", "change", "make", "set", "turn"]);
export const isPlain = (word) => PLAIN.has(word);

/** The words of a text, in small letters and without accents. `MISSING_MEDIA_SOURCE` is three words, an emoji is one. */
export function wordsOf(text) {
  const small = text.toLowerCase();
  // Most texts are plain, and the index has thousands.
  if (!/[\u0080-\uffff]/.test(small)) return small.match(/[a-z\d]+/g) ?? [];
  const bare = small.normalize("NFD").replace(/\p{M}/gu, "");
  return bare.match(/[\p{L}\p{N}]+|\p{Extended_Pictographic}/gu) ?? [];
}

/** `fontSize` in words. */
const apart = (name) => name.replace(/([a-z])([A-Z\d])/g, "$1 $2");

/** The words of a name or a phrase: `fontSize` is also found as "font size", and "lower third" as "lowerthird". */
function namesOf(text) {
  const whole = wordsOf(text);
  const parts = wordsOf(apart(text));
  return new Set([...whole, ...parts, ...(whole.length < 4 ? [whole.join("")] : [])]);
}

/** Letters that spellings of English differ in. */
const SPELLED = [
  [/colour/, "color"],
  [/grey/, "gray"],
  [/centre/, "center"],
];
const MADE = new Map();

/** A word without its ending: "captions", "looping" and "cropped" are "caption", "loop" and "crop". */
export function stemOf(word) {
  const known = MADE.get(word);
  if (known !== undefined) return known;
  const made = word.length < 4 || /\d/.test(word) ? word : stem(word);
  MADE.set(word, made);
  return made;
}
function stem(word) {
  const single = SPELLED.reduce((text, [from, to]) => text.replace(from, to), word)
    .replace(/ies$/, "y")
    .replace(/(ss|sh|ch|x)es$/, "$1")
    .replace(/([^su])s$/, "$1");
  const bare = single.replace(/(..[^aeiou]?)(?:ing|ed)$/, "$1");
  const short = bare === single ? single : bare.replace(/([bdgmnprt])\1$/, "$1");
  return short.length > 3 ? short.replace(/e$/, "") : short;
}

/** Whether two words differ by one letter: missing, added, wrong, or two that changed places. */
function isNear(one, other) {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
}

/** What a word counts by where it is. Words of long titles and phrases count less. */
const COUNTS = { key: 9, place: 2.5, text: 1.6, more: 1 };
const ofTitle = (length) => 10 / Math.sqrt(length);
/** What entries of some places count: there are many emoji, and the changelog has a word about everything. */
const OF_PLACE = {
  Changelog: 0.45,
  Emoji: 0.6,
  Compatibility: 0.7,
  "Importing films": 0.7,
  "Moving from other services": 0.7,
};
/** What a page counts, against a part of one. */
const OF_PAGE = 1.25;
const PARAMETER = /^(GET|POST|PUT|PATCH|DELETE) \//;

/** The index, ready to be searched. web/docs/search.mjs describes its parts. */
export function prepare({ rows, words, holders, names }) {
  const named = Object.entries(names).flatMap(([page, [place, titles]]) =>
    titles.split(" ").map((title) => [`${page}#${title}`, title, place]),
  );
  const entries = [...rows, ...named].map(([address, title, place, text = "", keys = ""]) => ({
    address,
    title,
    place,
    text,
    name: wordsOf(title).join(""),
    phrases: keys ? keys.split(", ").map((phrase) => ({ phrase, stems: asked(phrase).map(stemOf) })) : [],
    factor:
      (OF_PLACE[place] ?? OF_PLACE[title] ?? (PARAMETER.test(place) ? 0.75 : 1)) *
      (address.includes("#") ? 1 : OF_PAGE) *
      (/^Without effect|Does not change the film\.$/.test(text) ? 0.4 : 1),
  }));
  const vocabulary = vocabularyOf(entries, words, holders);
  const stems = new Map();
  for (const word of vocabulary.keys()) stems.set(stemOf(word), [...(stems.get(stemOf(word)) ?? []), word]);
  return { entries, vocabulary, stems };
}

/** What each word counts in the entries that have it: entry, count, entry, count and so on. An entry can be there more than once. */
function vocabularyOf(entries, words, holders) {
  const vocabulary = new Map();
  const put = (word, index, count) => {
    const counts = vocabulary.get(word);
    if (!counts) vocabulary.set(word, [index, count]);
    else if (counts.at(-2) !== index) counts.push(index, count);
    else if (counts.at(-1) < count) counts[counts.length - 1] = count;
  };
  const places = new Map();
  for (const [index, { title, place, text, phrases }] of entries.entries()) {
    const whole = wordsOf(title).join("");
    const count = ofTitle(wordsOf(apart(title)).length);
    for (const word of namesOf(title)) put(word, index, word === whole ? ofTitle(1) : count);
    for (const { phrase, stems } of phrases)
      for (const word of namesOf(phrase)) put(word, index, COUNTS.key / stems.length);
    if (!places.has(place)) places.set(place, [...namesOf(place)]);
    for (const word of places.get(place)) put(word, index, COUNTS.place);
    for (const word of wordsOf(text)) put(word, index, COUNTS.text);
  }
  for (const [at, word] of words.split(" ").entries()) {
    let index = 0;
    for (const step of holders[at].split(" ")) {
      index += Number.parseInt(step, 36);
      put(word, index, COUNTS.more);
    }
  }
  return vocabulary;
}

/** The words of the index that a word stands for, with how well: itself, other endings, longer ones; else those with one letter changed. */
function candidates({ vocabulary, stems }, word) {
  const found = new Map();
  for (const other of stems.get(stemOf(word)) ?? []) found.set(other, 0.92);
  // "rotate" also means "rotation".
  const root = stemOf(word).length > 4 ? stemOf(word) : word;
  if (word.length > 1)
    for (const other of vocabulary.keys())
      if (!found.has(other) && other.startsWith(root)) found.set(other, 0.45 + 0.4 * (root.length / other.length));
  if (vocabulary.has(word)) found.set(word, 1);
  if (found.size === 0 && word.length >= 5)
    for (const other of vocabulary.keys()) if (isNear(word, other)) found.set(other, 0.6);
  return found;
}

/** The best place of a word in each entry that has it. */
function placesOf(index, word) {
  const best = new Map();
  for (const [other, quality] of candidates(index, word)) {
    const counts = index.vocabulary.get(other);
    for (let at = 0; at < counts.length; at += 2) {
      const points = counts[at + 1] * quality;
      if (!(best.get(counts[at]) >= points)) best.set(counts[at], points);
    }
  }
  return best;
}

/** Points for an entry whose title, or one of whose phrases, is what was asked for. */
const SAME = 60;
const ALL_OF_PHRASE = 14;

/** The words of a query that are looked for. */
export function asked(query) {
  const words = wordsOf(query);
  const telling = words.filter((word) => !PLAIN.has(word));
  const sharp = telling.filter((word) => !ASKED.has(word));
  return [...new Set([sharp, telling, words].find((it) => it.length > 0) ?? [])];
}

/** Eight overlay types have an `opacity`: after two of them, another answer has a chance. */
const ALIKE = 2;
const OF_ALIKE = 0.6;
const byPoints = (one, other) => other.points - one.points;
function varied(ranked) {
  const counts = new Map();
  const weighed = ranked.sort(byPoints).map((it) => {
    const count = (counts.get(it.entry.title) ?? 0) + 1;
    counts.set(it.entry.title, count);
    return { ...it, points: it.points * (count > ALIKE ? OF_ALIKE : 1) };
  });
  return weighed.sort(byPoints);
}

/** Entries with less than these shares of the points of the best are left out: those that have every word, and those that lack one. */
const WORTH = 0.12;
const WORTH_LACKING = 0.6;

/** What the words of a query make of each entry that has any: points, how many words, and the share of their weight. */
function scoresOf(index, words) {
  const scores = new Map();
  let total = 0;
  for (const word of words) {
    const places = placesOf(index, word);
    // Rare words tell more.
    const weight = Math.log(2 + index.entries.length / (1 + places.size));
    total += weight;
    for (const [at, points] of places) {
      const score = scores.get(at) ?? { points: 0, words: 0, weight: 0 };
      score.points += points * weight;
      score.words += 1;
      score.weight += weight;
      scores.set(at, score);
    }
  }
  return [...scores].map(([at, { points, words: count, weight }]) => ({
    entry: index.entries[at],
    points,
    share: weight / total,
    hasAll: count === words.length,
  }));
}

/**
 * The entries that fit a query, the best first, each with the phrase that made it fit, if any. `isWhole` tells whether an entry has every word;
 * if so, those that lack one must be much better to be shown.
 */
export function find(index, query, most = 12) {
  const words = asked(query);
  const whole = wordsOf(query).join("");
  const stems = new Set(words.map(stemOf));
  const ranked = scoresOf(index, words).map(({ entry, points, share, hasAll }) => {
    const [said] = entry.phrases
      .filter((it) => it.stems.every((stem) => stems.has(stem)))
      .sort((one, other) => other.stems.length - one.stems.length);
    const isSame = entry.name === whole;
    const ofPhrase = said ? ALL_OF_PHRASE * said.stems.length * (said.stems.length === stems.size ? 2 : 1) : 0;
    return {
      entry,
      phrase: said?.phrase,
      points: (points * share ** 2 + (isSame ? SAME : 0) + ofPhrase) * entry.factor,
      isWhole: hasAll || isSame || (said !== undefined && said.stems.length * 2 > stems.size),
    };
  });
  const isWhole = ranked.some((it) => it.isWhole);
  const best = Math.max(...ranked.filter((it) => it.isWhole === isWhole).map((it) => it.points));
  const worth = (it) => best * (isWhole && !it.isWhole ? WORTH_LACKING : WORTH);
  const results = varied(ranked.filter((it) => it.points >= worth(it)));
  return { isWhole, results: results.slice(0, most).map(({ entry, phrase }) => ({ ...entry, phrase })) };
}
