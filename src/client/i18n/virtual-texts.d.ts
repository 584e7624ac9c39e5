/** Modules that the build makes from the catalogues (see `scripts/texts/texts-plugin.ts`). */
declare module 'virtual:texts' {
  import type { TextPart } from './text-part.ts'
  /** The tags of the languages that have a catalogue. */
  export const languageTags: readonly string[]
  /** Returns the URL of the file with the translated texts of a part, for example of `pt-br` and `later`. */
  export function textFileOf(language: string, part: TextPart): URL
}

/** The English texts of one part. */
declare module 'virtual:texts/*' {
  import type { TextRuns } from './text-part.ts'
  export const texts: TextRuns
}
