/** One line of a film, from when to when. */
type Cue = { readonly startMs: number; readonly endMs: number; readonly text: string }

/** SubRip as WebVTT; null when no cue is in it. */
export function vttOfSrt(text: string): string | null {
  const cues: Cue[] = []
  for (const block of linesOf(text)
    .join('\n')
    .split(/\n[ \t]*\n/)) {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => srtTimes.test(line))
    const times = srtTimes.exec(lines[at] ?? '')
    if (times === null) continue
    const [startMs, endMs] = [msOf(times.slice(1, 5)), msOf(times.slice(5, 9))]
    cues.push({ startMs, endMs, text: marked(lines.slice(at + 1).join('\n')) })
  }
  return vttOf(cues)
}

/** SubStation Alpha, both versions, as WebVTT: words and times, no styles. Null when no cue is in it. */
export function vttOfAss(text: string): string | null {
  let columns: readonly string[] = []
  const cues: Cue[] = []
  for (const line of linesOf(text)) {
    if (/^format:/i.test(line))
      columns = line
        .slice(7)
        .toLowerCase()
        .split(',')
        .map((name) => name.trim())
    if (/^dialogue:/i.test(line)) cues.push(...cueOf(columns, line.slice(9)))
  }
  return vttOf(cues.sort((a, b) => a.startMs - b.startMs))
}

const srtTimes =
  /^\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[,.](\d{1,3})\s*-->\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[,.](\d{1,3})/

const linesOf = (text: string): string[] => text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)

/** The last column holds whatever commas are left. Drawings are no words. */
function cueOf(columns: readonly string[], line: string): Cue[] {
  const parts = line.split(',')
  const valueOf = (name: string): string | undefined => parts[columns.indexOf(name)]?.trim()
  const [startMs, endMs] = [assTime(valueOf('start')), assTime(valueOf('end'))]
  const text = parts.slice(columns.indexOf('text')).join(',')
  if (startMs === null || endMs === null || !columns.includes('text') || /\{[^}]*\\p[1-9]/.test(text))
    return []
  const words = text
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\\n/gi, '\n')
    .replaceAll('\\h', '\u00a0')
  return [{ startMs, endMs, text: escaped(words) }]
}

function assTime(text: string | undefined): number | null {
  const match = /^(\d{1,4}):(\d{1,2}):(\d{1,2})[.:](\d{1,3})$/.exec(text ?? '')
  return match === null ? null : msOf(match.slice(1))
}

/** Hours, minutes, seconds, and a fraction of any length. */
const msOf = ([hours = '0', minutes, seconds, fraction = '']: readonly (string | undefined)[]): number =>
  Number(hours) * 3_600_000 +
  Number(minutes) * 60_000 +
  Number(seconds) * 1000 +
  Number(fraction.padEnd(3, '0'))

const plainTag = /<(\/?[biu])>/gi

/** Bold, italic and underlined stay; other tags go, and a line break is one. */
function marked(text: string): string {
  const broken = text.replaceAll(/<br\s*\/?>/gi, '\n')
  const parts = broken.split(plainTag)
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

function vttOf(cues: readonly Cue[]): string | null {
  if (cues.length === 0) return null
  return `WEBVTT\n\n${cues.map(blockOf).join('\n')}`
}

/** An empty line would end the cue. */
function blockOf({ startMs, endMs, text }: Cue): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return `${[`${vttTime(startMs)} --> ${vttTime(endMs)}`, ...lines].join('\n')}\n`
}

const two = (value: number): string => String(value).padStart(2, '0')

function vttTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${two(hours)}:${two(minutes)}:${two(seconds % 60)}.${String(ms % 1000).padStart(3, '0')}`
}
