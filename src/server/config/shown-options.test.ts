import { expect, test } from 'vitest'
import { loadConfig } from './load-config.ts'
import { optionsForAdministrators } from './shown-options.ts'

test('administrators see values with their sources, and nothing about the machine', () => {
  const loaded = loadConfig({
    argv: ['--disableExec=false', '--root', '/srv/secret-folder', '--password', 'hidden', '--port', '4711'],
    env: { STOWAGE_DISK_TIMEOUT: '5s' },
    cwd: '/work-folder',
    home: '/home-folder',
    readFile: () => null,
    exists: () => false,
    isPrivate: () => false,
    stored: { maxUploadSize: '1000' },
  })
  const options = optionsForAdministrators(loaded.config, loaded.sources)
  expect(options).toEqual(
    expect.arrayContaining([
      { name: 'disableExec', value: 'false', source: 'flag' },
      { name: 'diskTimeout', value: '5s', source: 'environment' },
      { name: 'maxUploadSize', value: '1000', source: 'database' },
      { name: 'tokenExpirationTime', value: '7200s', source: 'default' },
    ]),
  )
  expect(JSON.stringify(options)).not.toMatch(/secret-folder|hidden|4711|work-folder|home-folder/)
})
