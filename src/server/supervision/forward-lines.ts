import type { Readable } from 'node:stream'

/** The characters of a line above which it is forwarded in parts. It is more than a line of a log has. */
const maxLineCharacters = 128 * 1024

/** Passes each whole line of a stream on, so that the lines of several processes do not mix. */
export function forwardLines(stream: Readable, write: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) write(line)
    if (rest.length < maxLineCharacters) return
    write(rest)
    rest = ''
  })
  stream.on('end', () => {
    if (rest !== '') write(rest)
  })
  stream.on('error', () => {})
}
