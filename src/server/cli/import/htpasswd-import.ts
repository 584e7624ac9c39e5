import { resolve } from 'node:path'
import { planHtpasswd } from '../../takeover/htpasswd/plan-htpasswd.ts'
import { maxHtpasswdBytes, readHtpasswd } from '../../takeover/htpasswd/read-htpasswd.ts'
import { openServedFolder } from '../../takeover/take-over.ts'
import type { CliVerb, VerbCall } from '../verb/verb.ts'
import { dryRun, runImport } from './import-target.ts'
import { readImportedFile } from './imported-file.ts'

/** Adds the users of a htpasswd file, with their bcrypt passwords and the defaults of new users (decision 80). */
export const htpasswdImport: CliVerb = {
  name: 'import htpasswd',
  parameters: ['FILE'],
  meaning: 'Adds the users of a htpasswd file, with their bcrypt passwords; creates a missing database.',
  options: [dryRun],
  worksOn: 'nothing',
  run: importHtpasswd,
}

async function importHtpasswd(call: VerbCall): Promise<void> {
  const [name = ''] = call.words
  const content = await readImportedFile(resolve(call.io.cwd, name), { name, maxBytes: maxHtpasswdBytes })
  const file = readHtpasswd(content, name)
  await runImport(call, name, async ({ config, settings, users: existing }) => {
    const folder = settings.createUserDir
      ? openServedFolder(config.root, { followExternalSymlinks: config.followExternalSymlinks })
      : null
    const { users, report } = planHtpasswd(file, { existing, settings, folder })
    const homes = settings.createUserDir ? users.map(({ scope }) => scope) : []
    return { users, shares: [], report, homes }
  })
}
