/** A format of archives that needs a package with native code, by its name in requests. */
export type NativeFormat = 'tar.xz' | 'tar.lz4' | 'tar.sz'
