import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/** What a hook was told, and whether its file was there at the time. */
export type HookNote = {
  readonly trigger: string
  readonly file: string
  readonly destination: string
  readonly scope: string
  readonly username: string
  readonly isThere: boolean
}

export type HookProgram = {
  /** Its path. */
  readonly program: string
  /** A folder of its own, where its script runs nothing of itself. */
  readonly folder: string
  /** What it was told until now, in order. */
  notes(): HookNote[]
}

const script = (log: string, more: string): string => `#!/bin/sh
there=no; [ -e "$FILE" ] && there=yes
printf '%s\\0' "$TRIGGER" "$FILE" "$DESTINATION" "$SCOPE" "$USERNAME" "$there" >> '${log}'
${more}
`

/** A program that notes what its environment says, then does what the rest of its script says. */
export function hookProgram(more = ''): HookProgram {
  const folder = temporaryFolder()
  const [program, log] = [path.join(folder, 'hook'), path.join(folder, 'log')]
  writeFileSync(program, script(log, more), { mode: 0o755 })
  return {
    program,
    folder,
    notes() {
      const told = existsSync(log) ? readFileSync(log, 'utf8').split('\0').slice(0, -1) : []
      return Array.from({ length: told.length / 6 }, (_, at) => noteOf(told.slice(at * 6, at * 6 + 6)))
    },
  }
}

const noteOf = ([
  trigger = '',
  file = '',
  destination = '',
  scope = '',
  username = '',
  there,
]: readonly string[]) => ({
  trigger,
  file,
  destination,
  scope,
  username,
  isThere: there === 'yes',
})
