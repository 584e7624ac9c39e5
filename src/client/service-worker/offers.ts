import {
  isRecentOffer,
  maxOfferedFiles,
  nameOfOffered,
  offerCacheName,
  offerField,
  offerNameHeader,
  offerPath,
  offerPersonHeader,
  offerTimeHeader,
  personCacheName,
} from '../../shared/domain/device/offered-files.ts'

/**
 * Keeps the files of an offer until the page asks the signed-in user about them, and opens the page. A foreign web page can make an
 * offer, too, so nothing is uploaded without an answer. An offer to nobody, or for which the device has no room, opens the
 * page alone.
 */
export async function keepOffer(base: string, request: Request): Promise<Response> {
  const name = offerCacheName(base)
  await caches.delete(name)
  try {
    const person = await caches.match(`${base}/`, { cacheName: personCacheName(base) })
    if (person !== undefined) await keepFiles(base, await request.formData(), await person.text())
  } catch {
    await caches.delete(name)
  }
  return Response.redirect(`${base}/files/`, 303)
}

async function keepFiles(base: string, form: FormData, person: string): Promise<void> {
  const files = form.getAll(offerField).filter((value) => value instanceof File)
  if (files.length === 0) return
  const cache = await caches.open(offerCacheName(base))
  const offer = { [offerTimeHeader]: String(Date.now()), [offerPersonHeader]: person }
  for (const [index, file] of files.slice(0, maxOfferedFiles).entries()) {
    const headers = {
      ...offer,
      'content-type': file.type || 'application/octet-stream',
      [offerNameHeader]: encodeURIComponent(nameOfOffered(file.name)),
    }
    await cache.put(`${base}${offerPath}/${index}`, new Response(file, { headers }))
  }
}

/** Drops an offer to which nobody has answered in time. */
export async function dropOldOffer(base: string): Promise<void> {
  const name = offerCacheName(base)
  if (!(await caches.has(name))) return
  const files = await (await caches.open(name)).matchAll()
  if (!files.every(isRecentOffer)) await caches.delete(name)
}
