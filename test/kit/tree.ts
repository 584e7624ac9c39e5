import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * An object that describes a tree of files. Texts and bytes are files, objects are folders, and `{ link }` is a
 * symbolic link.
 */
export type Tree = { readonly [name: string]: string | Uint8Array | LinkEntry | Tree }
export type LinkEntry = { readonly link: string }

const isLink = (it: unknown): it is LinkEntry =>
  typeof it === 'object' && it !== null && typeof (it as LinkEntry).link === 'string'

/** Creates the tree in an existing folder. */
export async function makeTree(folder: string, tree: Tree): Promise<void> {
  for (const [name, it] of Object.entries(tree)) {
    const where = path.join(folder, name)
    if (typeof it === 'string' || it instanceof Uint8Array) await writeFile(where, it)
    else if (isLink(it)) await symlink(it.link, where)
    else {
      await mkdir(where)
      await makeTree(where, it)
    }
  }
}

/** Returns the content of a folder in the format of `makeTree`, with the contents of files as texts. */
export async function treeOf(folder: string): Promise<Tree> {
  const tree: Record<string, string | LinkEntry | Tree> = {}
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const where = path.join(folder, entry.name)
    if (entry.isDirectory()) tree[entry.name] = await treeOf(where)
    else if (entry.isFile()) tree[entry.name] = await readFile(where, 'utf8')
    else if (entry.isSymbolicLink()) tree[entry.name] = { link: '' }
  }
  return tree
}
