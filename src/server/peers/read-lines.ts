import type { Socket } from 'node:net'

/** Calls `onLine` for each line of JSON that arrives. A line that is too long or no JSON ends the connection. */
export function readJsonLines(
  socket: Socket,
  { maxCharacters, onLine }: { readonly maxCharacters: number; readonly onLine: (value: unknown) => void },
): void {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxCharacters || lines.some((line) => line.length > maxCharacters)) {
      socket.destroy()
      return
    }
    try {
      for (const line of lines) onLine(JSON.parse(line))
    } catch {
      socket.destroy()
    }
  })
}
