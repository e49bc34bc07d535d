/** Font files and dictionaries that could not be loaded, and the films that miss them. */

import type { Warning } from "../protocol";

/** Characters of the languages that have a dictionary. */
const LETTERS: Record<string, RegExp> = {
  burmese: /\p{Script=Myanmar}/u,
  khmer: /\p{Script=Khmer}/u,
  lao: /\p{Script=Lao}/u,
  thai: /\p{Script=Thai}/u,
};

interface Missing {
  warning: Warning;
  /** Whether a film that has no such text does not use it. */
  isUsed(film: string): boolean;
}

export class MissingFonts {
  private files = new Map<string, Missing>();
  /** The film that was asked about last, with what it lacks. */
  private known: { film: string; count: number; warnings: Warning[] } | null = null;

  /** Takes note of a file that a film needs and that cannot be loaded. */
  add(name: string, isDictionary: boolean, film: string): Warning {
    const warning = isDictionary
      ? { code: "dictionary-missing", message: `Lines break elsewhere than in a render: ${name} cannot be loaded.` }
      : { code: "font-missing", message: `The font file ${name} cannot be loaded.` };
    this.files.set(name, { warning, isUsed: isDictionary ? hasLetters(name) : names(name, film) });
    return warning;
  }

  /** What a film lacks. */
  of(film: string): Warning[] {
    const count = this.files.size;
    if (count === 0) return [];
    if (this.known?.film !== film || this.known.count !== count) {
      const used = [...this.files.values()].filter(({ isUsed }) => isUsed(film));
      this.known = { film, count, warnings: used.map(({ warning }) => warning) };
    }
    return this.known.warnings;
  }
}

function hasLetters(dictionary: string): (film: string) => boolean {
  const letters = Object.entries(LETTERS).find(([language]) => dictionary.includes(language))?.[1];
  return (film) => letters?.test(film) ?? true;
}

/** Files of a film are named in it. So are the families of others, which their folders are named after, unless they stand in. */
function names(file: string, film: string): (film: string) => boolean {
  if (film.includes(JSON.stringify(file))) return (film) => film.includes(JSON.stringify(file));
  const family = file.slice(0, file.indexOf("/"));
  const isNamed = (film: string) => film.toLowerCase().replaceAll(" ", "-").includes(family);
  return isNamed(film) ? isNamed : () => true;
}
