import { wireExtension } from '../../shared/domain/names.ts'
import { decodeSubtitle } from './decode-subtitle.ts'

/** A subtitle text, and the times in the film at which the text appears and disappears. */
type SubtitleCue = { readonly startMs: number; readonly endMs: number; readonly text: string }

/** A subtitle file to convert to WebVTT. Its name decides the format, and may contain the language. */
export type SubtitleFile = { readonly name: string; readonly bytes: Uint8Array }

/** The converters to WebVTT, by file extension. */
export const converters: Readonly<Record<string, (text: string) => string | null>> = {
  '.srt': vttOfSrt,
  '.ass': vttOfAss,
  '.ssa': vttOfAss,
  '.vtt': (text) => text.replace(/^\ufeff/, ''),
}

/** Converts a subtitle to WebVTT. Returns null when it has no cue. */
export function toVtt({ name, bytes }: SubtitleFile): Uint8Array | null {
  const vtt = converters[wireExtension(name).toLowerCase()]?.(decodeSubtitle(name, bytes)) ?? null
  return vtt === null ? null : new TextEncoder().encode(vtt)
}

/** Converts SubRip to WebVTT. Returns null when it has no cue. */
export function vttOfSrt(text: string): string | null {
  const cues: SubtitleCue[] = []
  for (const block of linesOf(text)
    .join('\n')
    .split(/\n[ \t]*\n/)) {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => srtTimes.test(line))
    const times = srtTimes.exec(lines[at] ?? '')
    if (times === null) continue
    const [startMs, endMs] = [msOf(times.slice(1, 5)), msOf(times.slice(5, 9))]
    cues.push({ startMs, endMs, text: withPlainTags(lines.slice(at + 1).join('\n')) })
  }
  return vttOf(cues)
}

/**
 * Converts SubStation Alpha (both versions) to WebVTT: texts and times are kept, and styles are dropped. Returns null
 * when it has no cue.
 */
export function vttOfAss(text: string): string | null {
  let columns: AssColumns = { start: -1, end: -1, text: -1 }
  const cues: SubtitleCue[] = []
  for (const line of linesOf(text)) {
    if (/^format:/i.test(line)) columns = columnsOf(line.slice(7))
    if (/^dialogue:/i.test(line)) cues.push(...cueOf(columns, line.slice(9)))
  }
  return vttOf(cues.sort((a, b) => a.startMs - b.startMs))
}

const srtTimes =
  /^\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[,.](\d{1,3})\s*-->\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[,.](\d{1,3})/

const linesOf = (text: string): string[] => text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)

/** The indices of the columns of a dialogue line that are needed for WebVTT. The index of a missing column is -1. */
type AssColumns = { readonly start: number; readonly end: number; readonly text: number }

function columnsOf(line: string): AssColumns {
  const names = line
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  return { start: names.indexOf('start'), end: names.indexOf('end'), text: names.indexOf('text') }
}

/** Parses a dialogue line. The text is the last column and may contain commas. Drawings are skipped. */
function cueOf(columns: AssColumns, line: string): SubtitleCue[] {
  const parts = line.split(',')
  const [startMs, endMs] = [assTime(parts[columns.start]?.trim()), assTime(parts[columns.end]?.trim())]
  const text = parts.slice(columns.text).join(',')
  if (startMs === null || endMs === null || columns.text < 0 || /\{[^{}]*\\p[1-9]/.test(text)) return []
  const words = withoutBraces(text).replaceAll(/\\n/gi, '\n').replaceAll('\\h', '\u00a0')
  return [{ startMs, endMs, text: escaped(words) }]
}

/**
 * Removes style codes in braces in a single pass. A regular expression would search all of the remaining text for each
 * brace that is not closed.
 */
function withoutBraces(text: string): string {
  const parts = text.split('}')
  const last = parts.pop() ?? ''
  const textParts = parts.map((part) => {
    const at = part.indexOf('{')
    return at < 0 ? `${part}}` : part.slice(0, at)
  })
  return textParts.join('') + last
}

function assTime(text: string | undefined): number | null {
  const match = /^(\d{1,4}):(\d{1,2}):(\d{1,2})[.:](\d{1,3})$/.exec(text ?? '')
  return match === null ? null : msOf(match.slice(1))
}

/** Converts hours, minutes, seconds and a fraction of up to three digits to milliseconds. */
const msOf = ([hours = '0', minutes, seconds, fraction = '']: readonly (string | undefined)[]): number =>
  Number(hours) * 3_600_000 +
  Number(minutes) * 60_000 +
  Number(seconds) * 1000 +
  Number(fraction.padEnd(3, '0'))

const plainTag = /<(\/?[biu])>/gi

/** Keeps tags for bold, italic and underlined text, removes other tags, and turns `<br>` into a line break. */
function withPlainTags(text: string): string {
  const withLineBreaks = text.replaceAll(/<br\s*\/?>/gi, '\n')
  const parts = withLineBreaks.split(plainTag)
  return parts
    .map((part, at) =>
      at % 2 === 1
        ? `<${part.toLowerCase()}>`
        : escaped(part.replaceAll(/<\/?[a-z][^<>]*>|\{\\[^{}]*\}/gi, '')),
    )
    .join('')
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\0', '')

function vttOf(cues: readonly SubtitleCue[]): string | null {
  if (cues.length === 0) return null
  return `WEBVTT\n\n${cues.map(blockOf).join('\n')}`
}

/** Formats a cue. Empty lines in its text are removed, because an empty line ends a cue. */
function blockOf({ startMs, endMs, text }: SubtitleCue): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return `${[`${vttTime(startMs)} --> ${vttTime(endMs)}`, ...lines].join('\n')}\n`
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

function vttTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}.${String(ms % 1000).padStart(3, '0')}`
}
