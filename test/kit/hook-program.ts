import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/** The environment of one run of a hook program, and whether `FILE` existed at that time. */
export type HookRunRecord = {
  readonly trigger: string
  readonly file: string
  readonly destination: string
  readonly scope: string
  readonly username: string
  readonly fileExists: boolean
}

/** A hook program that records its runs. */
export type HookProgram = {
  /** The path of the program. */
  readonly program: string
  /** A folder for other files of the test. The program does not create files in it. */
  readonly folder: string
  /** Returns the records of all runs so far, oldest first. */
  runs(): HookRunRecord[]
}

const script = (log: string, more: string): string => `#!/bin/sh
there=no; [ -e "$FILE" ] && there=yes
printf '%s\\0' "$TRIGGER" "$FILE" "$DESTINATION" "$SCOPE" "$USERNAME" "$there" >> '${log}'
${more}
`

/** Creates a hook program that records its environment and then runs the additional script lines in `more`. */
export function hookProgram(more = ''): HookProgram {
  const folder = temporaryFolder()
  const [program, log] = [path.join(folder, 'hook'), path.join(folder, 'log')]
  writeFileSync(program, script(log, more), { mode: 0o755 })
  return {
    program,
    folder,
    runs() {
      const fields = existsSync(log) ? readFileSync(log, 'utf8').split('\0').slice(0, -1) : []
      return Array.from({ length: fields.length / 6 }, (_, index) =>
        runRecordOf(fields.slice(index * 6, index * 6 + 6)),
      )
    },
  }
}

const runRecordOf = ([
  trigger = '',
  file = '',
  destination = '',
  scope = '',
  username = '',
  exists,
]: readonly string[]) => ({
  trigger,
  file,
  destination,
  scope,
  username,
  fileExists: exists === 'yes',
})
