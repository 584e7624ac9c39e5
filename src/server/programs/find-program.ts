import { access, constants, stat } from 'node:fs/promises'

/**
 * The folders in which programs are searched for, in the format of PATH. The PATH of the server's own environment is
 * not used.
 */
export const trustedPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Returns the absolute path of the program with this name, or null when no such program exists. A name with a slash is
 * never found.
 */
export async function findProgram(name: string): Promise<string | null> {
  return name.includes('/') ? null : findProgramIn(name, trustedPath)
}

/**
 * Returns the path of the program that the system starts for a name and a search path in the format of PATH. Null when no such program
 * exists. A name with a slash is a path itself.
 */
export async function findProgramIn(name: string, searchPath: string): Promise<string | null> {
  if (name === '' || name.includes('\0')) return null
  if (name.includes('/')) return (await isProgram(name)) ? name : null
  for (const folder of searchPath.split(':')) {
    const file = `${folder === '' ? '.' : folder}/${name}`
    if (await isProgram(file)) return file
  }
  return null
}

async function isProgram(file: string): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false
    await access(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
