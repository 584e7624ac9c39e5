import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * An object that describes a tree of files. Strings and bytes are files, objects are folders, and `{ link }` is a
 * symbolic link.
 */
export type FileTree = { readonly [name: string]: string | Uint8Array | SymbolicLinkEntry | FileTree }
export type SymbolicLinkEntry = { readonly link: string }

const isLink = (content: unknown): content is SymbolicLinkEntry =>
  typeof content === 'object' && content !== null && typeof (content as SymbolicLinkEntry).link === 'string'

/** Creates the tree in an existing folder. */
export async function makeTree(folder: string, tree: FileTree): Promise<void> {
  for (const [name, content] of Object.entries(tree)) {
    const target = path.join(folder, name)
    if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(target, content)
    else if (isLink(content)) await symlink(content.link, target)
    else {
      await mkdir(target)
      await makeTree(target, content)
    }
  }
}

/** Returns the content of a folder in the format of `makeTree`, with the contents of files as strings. */
export async function treeOf(folder: string): Promise<FileTree> {
  const tree: Record<string, string | SymbolicLinkEntry | FileTree> = {}
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const target = path.join(folder, entry.name)
    if (entry.isDirectory()) tree[entry.name] = await treeOf(target)
    else if (entry.isFile()) tree[entry.name] = await readFile(target, 'utf8')
    else if (entry.isSymbolicLink()) tree[entry.name] = { link: '' }
  }
  return tree
}
