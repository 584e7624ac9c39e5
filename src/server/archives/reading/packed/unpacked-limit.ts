/**
 * The largest total size of the members of an archive, in bytes: 1 GiB, or for larger archives this factor times the
 * size of the archive. No ordinary zip file exceeds the factor, because its method packs at most 1032 bytes into one.
 */
const freeBytes = 1024 * 1024 * 1024
const maxFactor = 1100

/** Returns the number of bytes to which an archive of a size in bytes may expand. */
export const maxUnpackedBytes = (packedBytes: number): number => Math.max(freeBytes, packedBytes * maxFactor)
