import { dirname, resolve } from 'node:path'
import { storedWithAbsolutePaths } from '../../config/stored-paths.ts'
import { textOfMessage } from '../../../shared/domain/takeover/takeover-notes.ts'
import { printConfiguration } from '../settings/config-cat.ts'
import { plainText } from '../verb/text-table.ts'
import type { ImportCall, VerbCallWithRecords, CliVerb } from '../verb/verb.ts'
import {
  recordOfSettings,
  recordOfSignIn,
  settingsOfRecord,
  signInOfRecord,
  withoutPartialCaptcha,
} from '../../exchange/config-record.ts'
import { planImportedSettings } from '../../takeover/plan/plan-import.ts'
import { formatOf, readExchange, writeExchange } from './exchange-file.ts'
import { ensureSigningKey } from '../settings/signing-key.ts'
import { createRecordReader } from '../../exchange/record-reader.ts'
import { recordOfServer, serverOfRecord } from '../../exchange/server-record.ts'

export const configExport: CliVerb = {
  name: 'config export',
  parameters: ['FILE'],
  meaning: 'Writes the settings, including secrets, to a file that ends in .json, .yml or .yaml.',
  options: [],
  worksOn: 'database',
  run: exportConfig,
}

/**
 * Imports settings from exports of File Browser and of Stowage. The database keeps its signing key (contract 14.2). Relative paths
 * are relative to the folder of the file, and are stored as absolute paths.
 */
export const configImport: CliVerb = {
  name: 'config import',
  parameters: ['FILE'],
  meaning: 'Replaces the settings by those of such a file; creates a missing database.',
  options: [],
  worksOn: 'any database',
  run: importConfig,
}

async function exportConfig(call: VerbCallWithRecords): Promise<void> {
  const store = call.records.settings
  const [settings, signIn, key] = [
    await store.get(),
    await store.signIn(),
    (await store.key()) ?? new Uint8Array(),
  ]
  const isJson = formatOf(call.words[0] ?? '') === 'json'
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
  call.print('the configuration was written')
}

async function importConfig(call: ImportCall): Promise<void> {
  const content = createRecordReader(await readExchange(call), 'the file')
  const [settings, signIn, server] = [
    settingsOfRecord(content),
    signInOfRecord(content),
    serverOfRecord(content),
  ]
  const { planned, notes } = await planImportedSettings(settings, content.members('settings'))
  const folder = dirname(resolve(call.io.cwd, call.words[0] ?? ''))
  const files = planned.branding.files === '' ? '' : resolve(folder, planned.branding.files)
  await call.withRecords(async (inside) => {
    const store = inside.records.settings
    await store.change({ ...planned, branding: { ...planned.branding, files } })
    await store.setSignIn(withoutPartialCaptcha(signIn))
    await store.setServer(storedWithAbsolutePaths(server.record, folder))
    await ensureSigningKey(store, inside.io)
    await printConfiguration(inside)
    const sentences = [...server.notes.map((note) => textOfMessage(note)), ...notes]
    for (const note of sentences) inside.print(`note: ${plainText(note)}`)
  })
}
