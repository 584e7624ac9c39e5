import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../src/server/records/migrations/migrations.ts'
import { ada, bundledProgram, runServer, unusedPort } from '../kit/run-server.ts'

/** Gives a database the layout of the version before the last migration. */
function undoLastMigration(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('alter table share drop column found_at')
  database.exec(`delete from migration where version = ${migrations.length}`)
  database.close()
}

function layoutOf(file: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true })
  const row = database.prepare('select max(version) as version from migration').get()
  database.close()
  return row?.['version']
}

test('a new version leaves the database to the running server until that has ended, and then copies and migrates it', async () => {
  const running = await runServer({ files: { 'a.txt': 'text' }, people: [ada] })
  onTestFinished(() => running.remove())
  const { database, folder } = running
  undoLastMigration(database)
  const [program = '', ...args] = bundledProgram()
  const port = await unusedPort()
  const starting = spawn(program, [...args, '-d', database, '-r', folder, '-a', '127.0.0.1', '-p', `${port}`])
  onTestFinished(() => void starting.kill('SIGKILL'))
  let output = ''
  starting.stdout.on('data', (text) => (output += text))
  starting.stderr.on('data', (text) => (output += text))
  await expect.poll(() => output).toContain('waits until the other servers of this state have ended')
  expect([output.includes('Listening on'), layoutOf(database)]).toEqual([false, migrations.length - 1])
  expect(await (await fetch(`${running.url}/health`)).json()).toEqual({ status: 'OK' })
  await running.stop()
  await expect.poll(() => output).toContain('Listening on')
  expect([layoutOf(database), existsSync(`${database}.before-${migrations.length}`)]).toEqual([
    migrations.length,
    true,
  ])
})
