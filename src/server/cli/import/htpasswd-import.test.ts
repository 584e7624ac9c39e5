import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { bcryptHash } from '../../../../test/kit/bcrypt-hash.ts'
import { createCliContext } from '../../../../test/kit/cli-context.ts'
import { sharedPasswordThreads } from '../../../../test/kit/shared-threads.ts'
import { createPasswords } from '../../auth/passwords.ts'
import { openRecords } from '../../records/open-records.ts'

const bcrypt = async (password: string, prefix = '$2y$', cost = 4): Promise<string> =>
  bcryptHash(password, { cost }).replace(/^\$2.\$/, prefix)

/** Creates an installation with the administrator Ann, and a htpasswd file with the given lines. */
async function createImport(content: string | Buffer) {
  const world = createCliContext()
  await world.cli('config init')
  await world.cli('users add ann', 'a long password', '--perm.admin')
  writeFileSync(path.join(world.cwd, 'users.htpasswd'), content)
  const usersOf = () => world.withRecords(({ users }) => users.list())
  return {
    ...world,
    usersOf,
    run: (...flags: string[]) => world.cli('import htpasswd users.htpasswd', ...flags),
  }
}

test('users come over with the passwords that they had, and with the defaults of new users', async () => {
  const lines = [
    `joe:${await bcrypt('joes password')}`,
    `kim@example.org:${await bcrypt('kims password', '$2a$')}:a comment`,
    `Zoë Ünal:${await bcrypt('zoes password', '$2b$')}`,
  ]
  const { cli, run, usersOf, withRecords } = await createImport(lines.join('\n'))
  await cli('config set --perm.admin --locale=de --perm.delete=false')
  const { code, out } = await run()
  expect([code, out]).toEqual([0, expect.stringContaining('3 users with passwords')])
  const [, joe, kim, zoe] = await usersOf()
  expect(joe).toMatchObject({
    username: 'joe',
    locale: 'de',
    perm: { admin: false, delete: false, create: true },
  })
  expect([kim?.username, zoe?.username]).toEqual(['kim@example.org', 'Zoë Ünal'])
  const passwords = createPasswords({
    randomBytes: (count) => new Uint8Array(count),
    threads: sharedPasswordThreads(),
  })
  const opens = (user: typeof joe, password: string) => passwords.verify(password, user?.passwordHash ?? '')
  expect(await Promise.all([opens(joe, 'joes password'), opens(kim, 'kims password')])).toEqual([true, true])
  expect(await Promise.all([opens(zoe, 'zoes password'), opens(zoe, 'joes password')])).toEqual([true, false])
  expect(await withRecords(({ settings }) => settings.key())).toHaveLength(64)
  await passwords.close()
})

test('each line that stays behind is named with its number and the reason, and without its password', async () => {
  const good = await bcrypt('a password')
  const content = [
    '\ufeff# made by somebody',
    '',
    `joe:${good}`,
    'md5:$apr1$abcdefgh$0123456789abcdefghijkl',
    'sha:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=',
    'des:abJnggxhB/yWI',
    'six:$6$salt$hash',
    'plain:hunter2',
    'cut:$2y$05$abc',
    `costly:${good.replace('$04$', '$31$')}`,
    'none:',
    `:${good}`,
    'no colon here',
    `JOE:${good}`,
    `Ann:${good}`,
    `tab\tname:${good}`,
    `${'n'.repeat(300)}:${good}`,
  ].join('\r\n')
  const { run, usersOf } = await createImport(`${content}\r\n`)
  const { code, out } = await run()
  expect(code).toBe(0)
  expect((await usersOf()).map(({ username }) => username)).toEqual(['ann', 'joe'])
  expect(out).toContain('1 user with passwords')
  expect(out).toContain('User joe: The password has a weak hash, of cost 4')
  for (const line of [
    'Line 4: The user md5 is left out, because the password is an MD5 hash (apr1), and only bcrypt',
    'Line 5: The user sha is left out, because the password is a SHA-1 hash',
    'Line 6: The user des is left out, because the password is a crypt hash, or plain text',
    'Line 7: The user six is left out, because the password is a SHA-512 crypt hash',
    'Line 8: The user plain is left out, because the password is plain text or a hash of an unknown kind',
    'Line 9: The user cut is left out, because the bcrypt hash is damaged',
    'Line 10: The user costly is left out, because the bcrypt hash has a cost outside of 4 to 15',
    'Line 11: The user none is left out, because the password is empty',
    'Line 12: There is no name before the colon',
    'Line 13: There is no colon after a name',
    'Line 14: The user JOE is left out, because the name is on line 3 already',
    'Line 15: The user Ann is left out, because the name exists already and is not changed',
    'Line 16: The user tab name is left out, because the user name contains control characters',
    'the user name is too long',
  ])
    expect(out).toContain(line)
  expect(out).not.toMatch(/hunter2|W6ph5|\$2y|abJn/)
})

test('a file that is not UTF-8 is read as Latin-1 as a whole, and the report says so', async () => {
  const good = await bcrypt('a password')
  // As UTF-8, the bytes of the second name are one letter.
  const { run, usersOf } = await createImport(Buffer.from(`zoë:${good}\nÃ©:${good}\n`, 'latin1'))
  const { code, out } = await run()
  expect([code, (await usersOf()).map(({ username }) => username)]).toEqual([0, ['ann', 'zoë', 'Ã©']])
  expect(out).toContain('The file is not UTF-8. Its names were read as Latin-1.')
})

test('an import that fails leaves none of the home folders that it made', async () => {
  const good = await bcrypt('a password')
  const { cli, run, usersOf, cwd, file } = await createImport(`joe:${good}\nkim:${good}`)
  await cli('config set --createUserDir')
  const root = path.join(cwd, 'files')
  mkdirSync(path.join(root, 'users/old'), { recursive: true })
  // The database refuses the second user, as it does when its disk is full.
  const database = new DatabaseSync(file)
  database.exec(
    "create trigger full before insert on user when new.username = 'kim' begin select raise(abort, 'full'); end",
  )
  database.close()
  expect((await run('-r', root)).code).not.toBe(0)
  expect([readdirSync(path.join(root, 'users')), (await usersOf()).length]).toEqual([['old'], 1])
  rmSync(path.join(root, 'users'), { recursive: true })
  expect((await run('-r', root)).code).not.toBe(0)
  expect(readdirSync(root)).toEqual([])
})

test('a second import changes nothing, and a dry run leaves the database byte for byte', async () => {
  const { run, file, usersOf, cwd } = await createImport(`joe:${await bcrypt('joes password')}\n`)
  const before = readFileSync(file)
  const dry = await run('--dry-run')
  expect([dry.code, readFileSync(file).equals(before), (await usersOf()).length]).toEqual([0, true, 1])
  expect(dry.out).toMatch(/would be imported[^]*1 user [^]*nothing was changed\n$/)
  const first = await run()
  expect(first.out.split('\n').slice(1)).toEqual(
    dry.out.replace('nothing was changed\n', '').split('\n').slice(1),
  )
  const after = [await usersOf(), readFileSync(file)]
  expect((await run()).out).toContain('0 users')
  expect([await usersOf(), readFileSync(file)]).toEqual(after)
  expect(readdirSync(cwd).filter((name) => name.startsWith('x.db'))).toEqual(['x.db'])
})

test('without a database, a dry run makes none, and an import tells that there is no administrator', async () => {
  const { cli, cwd, withRecords } = createCliContext()
  writeFileSync(path.join(cwd, 'f'), `joe:${await bcrypt('joes password')}\n`)
  expect(await cli('import htpasswd f --dry-run')).toMatchObject({ code: 0, err: '' })
  expect(readdirSync(cwd)).toEqual(['f'])
  expect((await cli('import htpasswd f')).out).toContain('There is no administrator')
  expect(await withRecords(({ users }) => users.list())).toHaveLength(1)
})

test('home folders are made, and nobody gets the folder of somebody else', async () => {
  const good = await bcrypt('a password')
  const { cli, run, usersOf, cwd } = await createImport(
    [`a b:${good}`, `a-b:${good}`, `A-B:${good}`, `..:${good}`].join('\n'),
  )
  await cli('config set --createUserDir')
  const { out } = await run('-r', cwd)
  expect((await usersOf()).map(({ username, scope }) => [username, scope])).toEqual([
    ['ann', '.'],
    ['a b', '/users/a-b'],
  ])
  expect(readdirSync(path.join(cwd, 'users'))).toEqual(['a-b'])
  expect(out).toContain(
    'Line 2: The user a-b is left out, because the home folder /users/a-b belongs to another user',
  )
  expect(out).toContain('Line 4: The user .. is left out, because the user name leaves no valid folder name')
})

test('the report names the scope and the permissions of new users', async () => {
  const { cli, run, cwd } = await createImport(`joe:${await bcrypt('joes password')}`)
  await cli('config set --scope=/team --perm.delete=false --perm.execute=false')
  const { out } = await run('--dry-run')
  expect(out).toMatch(
    /Each user gets the folder \/team and the permissions (?!.*(?:admin|delete))[^\n]*create/,
  )
  await cli('config set --createUserDir')
  expect((await run('--dry-run', '-r', cwd)).out).toContain('Each user gets a new home folder in /users and')
})

test('entries that exist and folders around the scope of a user become no home folders', async () => {
  const good = await bcrypt('a password')
  const people = ['old', 'frank', 'gone', 'file', 'Outer', 'joe', '..', 'bob/docs']
  const { cli, run, usersOf, cwd } = await createImport(people.map((name) => `${name}:${good}`).join('\n'))
  await cli('config set --createUserDir')
  const root = path.join(cwd, 'files')
  for (const name of ['files/users/old', 'secret']) mkdirSync(path.join(cwd, name), { recursive: true })
  symlinkSync(path.join(cwd, 'secret'), path.join(root, 'users/frank'))
  symlinkSync(path.join(cwd, 'nowhere'), path.join(root, 'users/gone'))
  writeFileSync(path.join(root, 'users/file'), '')
  await cli('users add zoe', 'a long password', '--scope=/users/outer/inner', '-r', root)
  rmSync(path.join(root, 'users/outer'), { recursive: true })
  const { code, out } = await run('-r', root)
  expect([code, (await usersOf()).map(({ username }) => username)]).toEqual([0, ['ann', 'zoe', 'joe']])
  for (const line of [
    'Line 1: The user old is left out, because there is /users/old already, which may belong to somebody else',
    'Line 2: The user frank is left out, because there is /users/frank already',
    'Line 3: The user gone is left out, because there is /users/gone already',
    'Line 4: The user file is left out, because there is /users/file already',
    'Line 5: The user Outer is left out, because the home folder /users/Outer belongs to another user',
    'Line 7: The user .. is left out, because the user name leaves no valid folder name',
    'Line 8: The user bob/docs is left out, because the user name leaves no valid folder name',
  ])
    expect(out).toContain(line)
  expect(readdirSync(path.join(cwd, 'secret'))).toEqual([])
})

test('names that make no folder are refused without home folders as well', async () => {
  const good = await bcrypt('a password')
  const { run, usersOf } = await createImport(`..:${good}\nbob/docs:${good}\njoe:${good}`)
  expect((await run()).out).toContain(
    'Line 2: The user bob/docs is left out, because the user name leaves no valid folder name',
  )
  expect((await usersOf()).map(({ username }) => username)).toEqual(['ann', 'joe'])
})

test('no home folder is made where the folder of all home folders leads out of the served folder', async () => {
  const { cli, run, usersOf, cwd } = await createImport(`joe:${await bcrypt('joes password')}`)
  await cli('config set --createUserDir')
  for (const name of ['files', 'secret']) mkdirSync(path.join(cwd, name))
  symlinkSync(path.join(cwd, 'secret'), path.join(cwd, 'files/users'))
  const { code, out } = await run('-r', path.join(cwd, 'files'))
  expect([code, await usersOf()]).toMatchObject([0, [{ username: 'ann' }]])
  expect(out).toContain(
    'Line 1: The user joe is left out, because /users, the folder of home folders, leads out of the served folder',
  )
})

test('a report has at most 200 sentences about lines that stay behind', async () => {
  const { run } = await createImport(
    `${'no colon here\n'.repeat(100_000)}joe:${await bcrypt('joes password')}`,
  )
  const { code, out } = await run()
  expect(code).toBe(0)
  expect(out).toContain('There are 99800 more.')
  expect(out.split('\n').length).toBeLessThan(220)
})

test('an import works while the server runs', async () => {
  const { run, file } = await createImport(`joe:${await bcrypt('joes password')}\n`)
  const server = await openRecords({ database: file, nowMs: Date.now })
  expect((await run()).code).toBe(0)
  expect((await server.users.findByName('joe'))?.id).toBe(2)
  await server.close()
})

test.each([
  ['a file with a NUL byte', Buffer.from('a:b\0\n'), 'is not a htpasswd file: it contains a NUL byte'],
  ['a file in UTF-16', Buffer.from('\ufeffa:b\n', 'utf16le'), 'is written in UTF-16; save it as UTF-8'],
  ['a file in big-endian UTF-16', Buffer.from('\ufeffa:b\n', 'utf16le').swap16(), 'is written in UTF-16'],
  ['a file of another kind', 'one\ntwo\n', 'is not a htpasswd file'],
  ['a file without users', '# nobody\n', null],
])('%s is reported in one line or adds nobody', async (_case, content, reason) => {
  const { run, usersOf } = await createImport(content)
  const { code, out, err } = await run()
  expect([code, err.trimEnd().split('\n').length]).toEqual([reason === null ? 0 : 1, 1])
  expect(reason === null ? out : err).toContain(reason ?? '0 users')
  expect(await usersOf()).toHaveLength(1)
})

test('a missing file and a folder are refused, and make no database', async () => {
  const { cli, cwd } = createCliContext()
  expect((await cli('import htpasswd absent')).err).toBe('stowage: there is no file absent\n')
  expect((await cli('import htpasswd .')).err).toBe('stowage: . is not a file\n')
  expect((await cli('import htpasswd')).code).toBe(2)
  expect(readdirSync(cwd)).toEqual([])
})
