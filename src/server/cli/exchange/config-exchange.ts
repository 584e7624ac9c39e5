import { printConfiguration } from '../config-cat.ts'
import { settledSignIn } from '../setting-setters.ts'
import { plainText } from '../text-table.ts'
import type { BringingCall, RecordsCall, Verb } from '../verb.ts'
import { recordOfSettings, recordOfSignIn, settingsOfRecord, signInOfRecord } from './config-record.ts'
import { formOf, readExchange, writeExchange } from './exchange-file.ts'
import { keyMade } from './key-made.ts'
import { membersOf } from './members.ts'
import { recordOfServer, serverOfRecord } from './server-record.ts'

export const configExport: Verb = {
  name: 'config export',
  takes: ['FILE'],
  meaning: 'Writes the settings, secrets included, to a file that ends in .json, .yml or .yaml.',
  options: [],
  on: 'database',
  run: exportConfig,
}

/** Takes the original's exports and our own; the key of the database stays (contract 14.2). */
export const configImport: Verb = {
  name: 'config import',
  takes: ['FILE'],
  meaning: 'Replaces the settings by those of such a file; makes a database where there is none.',
  options: [],
  on: 'any database',
  run: importConfig,
}

async function exportConfig(call: RecordsCall): Promise<void> {
  const store = call.records.settings
  const [settings, signIn, key] = [
    await store.get(),
    await store.signIn(),
    (await store.key()) ?? new Uint8Array(),
  ]
  const isJson = formOf(call.words[0] ?? '') === 'json'
  const { server, modes, options } = recordOfServer(await store.server())
  await writeExchange(call, {
    settings: {
      key: isJson ? Buffer.from(key).toString('base64') : Array.from(key),
      ...recordOfSettings(settings),
      ...modes,
    },
    server,
    auther: recordOfSignIn(signIn, settings),
    stowage: { options },
  })
  call.print('the configuration is written')
}

async function importConfig(call: BringingCall): Promise<void> {
  const content = membersOf(await readExchange(call), 'the file')
  const [settings, signIn, server] = [
    settingsOfRecord(content),
    signInOfRecord(content),
    serverOfRecord(content),
  ]
  await call.withRecords(async (inside) => {
    const store = inside.records.settings
    await store.change(settings)
    await store.setSignIn(settledSignIn(signIn))
    await store.setServer(server.record)
    await keyMade(store, inside.io)
    await printConfiguration(inside)
    for (const note of server.notes) inside.print(`note: ${plainText(note)}`)
  })
}
