import {
  sentenceOf,
  type TakeoverNote,
  type TakeoverReport,
} from '../../../shared/domain/takeover/takeover-report.ts'

/** Returns the lines in which a report is printed and logged. Control characters in names are replaced. */
export const reportLines = ({ kept, changed, left }: TakeoverReport): readonly string[] => [
  ...section('Comes over:', kept),
  ...section('Changes its meaning:', changed),
  ...section('Stays behind:', left),
]

/** Returns a clause as a sentence of its own, for clauses that also follow the word *because*. */
export const asSentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`

const section = (title: string, notes: readonly TakeoverNote[]): readonly string[] =>
  notes.length === 0 ? [] : [title, ...notes.map((note) => `  - ${printable(sentenceOf(note))}`)]

const printable = (line: string): string =>
  line.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ')
