import { detectTextEncoding } from '../../shared/domain/encodings/detect-encoding.ts'
import type { OldEncoding } from '../../shared/domain/encodings/character-weights.ts'

/** The encodings of one group of languages: those that can be told apart by their letters, or a single other one. */
type LanguageEncodings = { readonly languages: string; readonly encodings: readonly string[] }

/**
 * The encodings in which subtitles were written before UTF-8, by language: the codes of ISO 639 with two and three letters
 * that stand before the extension of a subtitle.
 */
const byLanguage: readonly LanguageEncodings[] = [
  {
    languages: 'cs ces cze sk slk slo pl pol hu hun hr hrv scr sl slv ro ron rum bs bos sq alb sqi',
    encodings: ['windows-1250', 'iso-8859-2'],
  },
  { languages: 'sr srp scc', encodings: ['windows-1250', 'windows-1251', 'iso-8859-2'] },
  {
    languages: 'ru rus uk ukr be bel bg bul mk mkd mac',
    encodings: ['windows-1251', 'koi8-r', 'koi8-u', 'ibm866', 'iso-8859-5'],
  },
  { languages: 'el ell gre', encodings: ['windows-1253'] },
  { languages: 'tr tur az aze', encodings: ['windows-1254'] },
  { languages: 'he heb iw', encodings: ['windows-1255'] },
  { languages: 'ar ara fa fas per ur urd', encodings: ['windows-1256'] },
  { languages: 'et est lv lav lt lit', encodings: ['windows-1257'] },
  { languages: 'vi vie', encodings: ['windows-1258'] },
  { languages: 'th tha', encodings: ['windows-874'] },
  { languages: 'ja jpn jp', encodings: ['shift_jis', 'euc-jp'] },
  { languages: 'zh zho chi chs cht cn tw', encodings: ['gb18030', 'big5'] },
  { languages: 'ko kor kr', encodings: ['euc-kr'] },
]

/**
 * Decodes a subtitle in the encoding that its byte order mark declares, or UTF-16 that has none: every format begins with two
 * characters of ASCII, which are two bytes each there. Any other text is UTF-8 or, if it is not valid UTF-8, in an encoding of the language that its name contains, such as `cs` in `Film.2020.cs.srt`, or otherwise in the
 * encoding in which it looks most like text of people.
 */
export function decodeSubtitle(name: string, bytes: Uint8Array): string {
  const [first, second, third, fourth] = bytes
  if ((first === 0xff && second === 0xfe) || (second === 0 && fourth === 0))
    return new TextDecoder('utf-16le').decode(bytes)
  if ((first === 0xfe && second === 0xff) || (first === 0 && third === 0))
    return new TextDecoder('utf-16be').decode(bytes)
  const encodings = encodingsOf(name)
  const [only] = encodings
  const likely =
    encodings.length > 1 ? detectTextEncoding(bytes, encodings as readonly OldEncoding[]) : (only ?? 'utf-8')
  return (
    strictlyDecoded(bytes, 'utf-8') ??
    strictlyDecoded(bytes, likely) ??
    new TextDecoder(detectTextEncoding(bytes)).decode(bytes)
  )
}

/** Returns the encodings of the language in a name. The language may have a region, and words such as `forced` after it. */
function encodingsOf(name: string): readonly string[] {
  const parts = name
    .toLowerCase()
    .split(/[.\s()[\]]+/)
    .slice(1, -1)
  for (const part of parts.toReversed()) {
    const [language = ''] = part.split(/[-_]/)
    const known = byLanguage.find(({ languages }) => languages.split(' ').includes(language))
    if (known !== undefined) return known.encodings
  }
  return []
}

function strictlyDecoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
