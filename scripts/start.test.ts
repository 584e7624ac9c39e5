import { spawn, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { pinnedPackages } from '../bin/runtime.js'

/** These tests run `npm start` in a clone of the project. Short scripts replace npm, the build and the server. */
const project = path.resolve(import.meta.dirname, '..')
const fakeNpm = `console.log('npm was called with ' + process.argv.slice(2, 4).join(' '))`
const fakeBuild = `
import { mkdirSync, writeFileSync } from 'node:fs'
import { markBuilt } from './setup/build.js'
mkdirSync('dist/server', { recursive: true })
writeFileSync('dist/server/main.js', 'console.log("served: " + process.argv.slice(2).join(" ")); process.exit(7)')
markBuilt(process.cwd())
`

let clone: string
beforeEach(async () => {
  clone = await mkdtemp(path.join(tmpdir(), 'stowage-clone-'))
  await mkdir(path.join(clone, 'src'))
  await cp(path.join(project, 'bin'), path.join(clone, 'bin'), { recursive: true })
  await cp(path.join(project, 'scripts/setup'), path.join(clone, 'scripts/setup'), { recursive: true })
  await cp(path.join(project, 'scripts/start.js'), path.join(clone, 'scripts/start.js'))
  await put('package.json', '{"type":"module"}')
  await put('package-lock.json', '{}')
  await put('src/one.ts', 'one')
  await put('scripts/build.ts', fakeBuild)
  await put('npm-cli.js', fakeNpm)
})
afterEach(() => rm(clone, { recursive: true }))

const put = (name: string, text: string) => writeFile(path.join(clone, name), text)

/** Puts this Node where npm installs the pinned Node, and returns its path. */
async function putPinnedNode(): Promise<string> {
  const name = pinnedPackages[`${process.platform}-${process.arch}`] ?? ''
  const program = path.join(clone, 'node_modules', name, 'bin', path.basename(process.execPath))
  await mkdir(path.dirname(program), { recursive: true })
  await put(`node_modules/${name}/package.json`, '{}')
  await symlink(process.execPath, program)
  return program
}

type NpmStartResult = { readonly code: number | null; readonly output: string }

/** Runs `npm start` in the way npm runs it, with arguments for the database and the folder. */
function start(env: Readonly<Record<string, string>> = {}): Promise<NpmStartResult> {
  const environment = { npm_execpath: path.join(clone, 'npm-cli.js'), INIT_CWD: clone, HOME: clone, ...env }
  const child = spawn(process.execPath, [path.join(clone, 'scripts/start.js'), '-d', 'a.db', '-r', '/srv'], {
    cwd: clone,
    env: environment,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}

describe('in a bare clone', () => {
  test('npm start shows each step, serves, and returns the exit code', async () => {
    const { code, output } = await start()
    expect(output).toMatch(
      /^Installing packages .* … done \(\d+ s\)\nBuilding … done \(\d+ s\)\nserved: -d a.db -r \/srv\n$/,
    )
    expect(code).toBe(7)
  })

  test('on a Node that is too old, npm installs once more on the pinned Node, which more packages support', async () => {
    await put('npm-cli.js', `(await import('node:fs')).appendFileSync('nodes', process.argv0 + '\\n')`)
    const launcher = await readFile(path.join(clone, 'bin/runtime.js'), 'utf8')
    await put('bin/runtime.js', launcher.replace(/oldestMajor = \d+/, 'oldestMajor = 99'))
    const pinned = await putPinnedNode()
    expect((await start()).code).toBe(7)
    const nodes = await readFile(path.join(clone, 'nodes'), 'utf8')
    expect(nodes.trim().split('\n')).toEqual([process.execPath, pinned])
  })

  test('npm start shows the output of a failed npm, and advice', async () => {
    await put('npm-cli.js', `console.error('npm error code ENOTFOUND registry'); process.exit(1)`)
    const { code, output } = await start()
    expect(output).toContain('npm error code ENOTFOUND registry')
    expect(output).toContain('The package registry cannot be reached: check the network')
    expect(code).toBe(1)
  })

  test('npm start explains where to get a missing npm', async () => {
    const { code, output } = await start({ npm_execpath: '', PATH: clone })
    expect(output).toContain('npm is missing. It comes with Node: get it from https://nodejs.org/')
    expect(code).toBe(1)
  })

  test('npm start shows the output of a failed build', async () => {
    await put('scripts/build.ts', `throw new Error('the source is broken')`)
    const { code, output } = await start()
    expect(output).toContain('the source is broken')
    expect(code).toBe(1)
  })
})

describe('in a clone that was started before', () => {
  beforeEach(() => start())

  test('npm start serves at once', async () => {
    expect(await start()).toEqual({ code: 7, output: 'served: -d a.db -r /srv\n' })
  })

  test('npm start builds again when the source has changed, and only then', async () => {
    await put('src/one.test.ts', 'a test is not built')
    expect((await start()).output).not.toContain('Building')
    await put('src/one.ts', 'two')
    expect((await start()).output).toMatch(/^Building … done/)
  })

  test('npm start builds again when the tests have built with less compression', async () => {
    const markQuick = `import('./scripts/setup/build.js').then(({ markBuilt }) => markBuilt('.', { isQuick: true }))`
    spawnSync(process.execPath, ['-e', markQuick], { cwd: clone })
    expect((await start()).output).toMatch(/^Building … done/)
    expect((await start()).output).not.toContain('Building')
  })

  test('npm start installs again when the lockfile has changed', async () => {
    await put('package-lock.json', '{"packages":{}}')
    expect((await start()).output).toMatch(/^Installing packages/)
  })

  test('an incomplete build is not served', async () => {
    await put('src/one.ts', 'broken')
    await put('scripts/build.ts', `throw new Error('the source is broken')`)
    await start()
    expect((await start()).output).toContain('the source is broken')
    expect(await readFile(path.join(clone, 'dist/server/main.js'), 'utf8')).toContain('served')
  })
})
