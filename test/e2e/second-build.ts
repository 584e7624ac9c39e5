import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/** Copies the built program to a folder of its own, so that a test can replace its client. Returns the folder. */
export async function copyProgram(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-program-'))
  await cp(path.join(root, 'package.json'), path.join(folder, 'package.json'))
  await cp(path.join(root, 'dist'), path.join(folder, 'dist'), { recursive: true })
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  return folder
}

/** Returns the hash in the name of a file of the client build. All texts have one hash, before their language. */
const hashOf = (name: string): string | undefined =>
  /^texts-([\w-]{8})-/.exec(name)?.[1] ?? /-([\w-]{8})\.\w+$/.exec(name)?.[1]

const isCompressed = (name: string): boolean => /\.(?:br|gz)$/.test(name)

/**
 * Replaces the client of a copied program by another build: each file with a hash in its name has another hash (its halves are
 * swapped), as after a change of all files. The compressed copies are removed, because they name the files of the build before.
 */
export async function replaceClient(folder: string): Promise<void> {
  const client = path.join(folder, 'dist/client')
  const assets = path.join(client, 'assets')
  const entries = await readdir(assets, { withFileTypes: true })
  const all = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  await Promise.all(all.filter(isCompressed).map((name) => rm(path.join(assets, name))))
  const names = all.filter((name) => !isCompressed(name))
  const hashes = new Set(names.map(hashOf).filter((hash) => hash !== undefined))
  const anyHash = new RegExp(`(?<=-)(?:${[...hashes].join('|')})(?=[.-])`, 'g')
  const renamed = (text: string): string =>
    text.replaceAll(anyHash, (hash) => `${hash.slice(4)}${hash.slice(0, 4)}`)
  const texts = names.filter((name) => /\.(?:js|css|json)$/.test(name)).map((name) => path.join(assets, name))
  for (const file of [...texts, path.join(client, 'index.html')])
    await writeFile(file, renamed(await readFile(file, 'utf8')))
  for (const name of names) await rename(path.join(assets, name), path.join(assets, renamed(name)))
}
