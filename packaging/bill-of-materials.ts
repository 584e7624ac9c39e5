import { createHash } from 'node:crypto'
import { pinnedPackages } from '../bin/runtime.js'
import {
  licencesIn,
  readLockfile,
  rootPackages,
  shippedPackages,
  type Lockfile,
} from '../scripts/shipped-packages.ts'
import type { Processor } from './product.ts'

/** A component of a bill of materials, as CycloneDX 1.5 describes it. */
export type Component = {
  readonly type: 'library' | 'application'
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: readonly { readonly expression: string }[]
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
}

/**
 * Returns the components of the product for Linux with a processor: the packages that are bundled or installed with it, and
 * the Node runtime. Packages for other systems are left out.
 */
export function productComponents(lockfile: Lockfile, processor: Processor): Component[] {
  const runtime = pinnedPackages[`linux-${processor}`] ?? ''
  const packages = shippedPackages(lockfile, [...rootPackages(lockfile), runtime])
  return packages
    .filter(({ folder }) => {
      const { os, cpu, libc } = lockfile.packages[folder] ?? {}
      return isFor(os, 'linux') && isFor(cpu, processor) && isFor(libc, 'glibc')
    })
    .map(({ name, version, license, folder }) => ({
      type: name === runtime ? ('application' as const) : ('library' as const),
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      ...(license === '' ? {} : { licenses: [{ expression: licencesIn(license).join(' AND ') }] }),
      ...hashesOf(lockfile.packages[folder]?.integrity),
    }))
}

const isFor = (systems: readonly string[] | undefined, system: string): boolean =>
  systems?.includes(system) ?? true

/** Converts the integrity of the lockfile, which is base64, to the hexadecimal number of CycloneDX. */
function hashesOf(integrity: string | undefined): Pick<Component, 'hashes'> {
  const [, digest] = /^sha512-(.+)$/.exec(integrity ?? '') ?? []
  if (digest === undefined) return {}
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
}

/**
 * Returns the components of an image that come from Debian. The text has a line for each package: name, version and
 * processor.
 */
export const debianComponents = (text: string): Component[] =>
  text
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([name, version, architecture]) =>
      name === undefined || version === undefined || architecture === undefined
        ? []
        : [
            {
              type: 'library',
              name,
              version,
              purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`,
            },
          ],
    )

/** Returns the bill of materials of a release as CycloneDX 1.5. The same components make the same bytes. */
export function billOfMaterials(version: string, components: readonly Component[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([version, components]))
    .digest('hex')
  // A UUID of version 8 is made by rules of its own (RFC 9562), here from the content.
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
  return `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      serialNumber: `urn:uuid:${uuid}`,
      version: 1,
      metadata: {
        component: {
          type: 'application',
          name: 'stowage',
          version,
          licenses: [{ expression: 'Apache-2.0' }],
        },
      },
      components,
    },
    null,
    2,
  )}\n`
}

export const componentsOfProduct = (processor: Processor): Component[] =>
  productComponents(readLockfile(), processor)
