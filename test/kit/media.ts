/** The texts and the cover in the ID3 tag of an MP3 file. */
export type Id3Tags = { readonly title: string; readonly artist: string; readonly cover: Uint8Array }

/** Bytes and duration of a frame of an MP3 file with 128 kbit/s and 44.1 kHz, the duration in seconds. */
const frameBytes = 417
const frameS = 1152 / 44_100

/** Makes a silent MP3 file of a length in seconds, with a tag of ID3 2.3 when there are tags. */
export function silentMp3(lengthS: number, tags?: Id3Tags): Buffer {
  const frame = Buffer.alloc(frameBytes)
  frame.set([0xff, 0xfb, 0x90, 0xc4])
  const frames = Array.from({ length: Math.ceil(lengthS / frameS) }, () => frame)
  return Buffer.concat([...(tags === undefined ? [] : [id3Tag(tags)]), ...frames])
}

function id3Tag({ title, artist, cover }: Id3Tags): Buffer {
  const frames = Buffer.concat([
    id3Frame('TIT2', utf16(title)),
    id3Frame('TPE1', utf16(artist)),
    id3Frame('APIC', Buffer.concat([Buffer.from('\0image/png\0\u0003\0', 'latin1'), cover])),
  ])
  const size = frames.length
  const sizeInSevenBits = [size >> 21, size >> 14, size >> 7, size].map((bits) => bits & 0x7f)
  return Buffer.concat([Buffer.from('ID3\u0003\0\0', 'latin1'), Buffer.from(sizeInSevenBits), frames])
}

const utf16 = (text: string): Buffer =>
  Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, 'utf16le')])

function id3Frame(id: string, content: Buffer): Buffer {
  const header = Buffer.alloc(10)
  header.write(id, 'latin1')
  header.writeUInt32BE(content.length, 4)
  return Buffer.concat([header, content])
}

/**
 * Returns a WebM file of one minute with one picture of one colour per second and without sound. The file is stored in
 * this file, encoded in Base64, because the tests have no program that encodes videos.
 */
export const minuteOfVideo = (): Buffer => Buffer.from(flatWebm, 'base64')

const flatWebm =
  'GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZwEAAAAAAA0uEU2bdLpNu4tTq4QVSalmU6yBoU27i1OrhBZUrmtTrIHY' +
  'TbuMU6uEElTDZ1OsggEeTbuMU6uEHFO7a1Osggy+7AEAAAAAAABZAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmsirXsYMPQkBNgI1MYXZmNTkuMjcuMTAwV0GNTGF2' +
  'ZjU5LjI3LjEwMESJiEDtTAAAAAAAFlSua8GuAQAAAAAAADjXgQFzxYiLdrmCnJuPOZyBACK1nIN1bmSIgQCGhVZfVlA4g4EBI+ODhDuaygDg' +
  'ibCBILqBEpqBAhJUw2f9c3OgY8CAZ8iaRaOHRU5DT0RFUkSHjUxhdmY1OS4yNy4xMDBzc9djwItjxYiLdrmCnJuPOWfIoUWjh0VOQ09ERVJE' +
  'h5RMYXZjNTkuMzcuMTAwIGxpYnZweGfIokWjiERVUkFUSU9ORIeUMDA6MDE6MDAuMDAwMDAwMDAwAAAfQ7Z1QRDngQCjsIEAAIBwAgCdASog' +
  'ABIAAkcIhYWImYSIDIICdPLGZmLYAP7tizFD/ziX/0C/8BeYAKOpgQPoANEBAAkQLAAYAB5X9AwAQQ4A/vD6HJuw7//bQ//9tD//20P+lACj' +
  'qYEH0ADRAQAJECAAGAAeV/QMAEEOAP70vsUUUf//gTv/+BO//4E7/wAAo6mBC7gA0QEACRAYABgAHlf0DABBDgD+9j+7J3pf/8ZU//xlT//G' +
  'VP+LmKOrgQ+gANEBAAkQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAKOrgROIANEBAAkQEAAYAB5X9AwAQQ4A/vk2y2UCet//' +
  '0+r//p9X//T6v/TnAB9DtnVBGeeCF3Cjq4EAAADRAQAJEBAAGAAeV/QMAEEOAP75NstlAnrf/9Pq//6fV//0+r/05wCjpoED6ADRAQAJEEQU' +
  'YAB5X9AwAQQ4AP7vJjUb/6TZ//SbP/6TZ8cwo6uBB9AA0QEACRAQABgAHlf0DABBDgD++TbLZQJ63//T6v/+n1f/9Pq/9OcAo6uBC7gA0QEA' +
  'CRAQABgAHlf0DABBDgD++TbLZQJ63//T6v/+n1f/9Pq/9OcAo7eBD6CAcAIAnQEqIAASAABHCIWFiJmEiAICAnTyxmZi2AD++TbLZQJ63//T' +
  '6v/+n1f/9Pq/9OcAo6uBE4gA0QEAARAQABgAHlf0DABBDgD++TbLZQJ63//T6v/+n1f/9Pq/9OcAH0O2dUEO54Iu4KOrgQAAANEBAAEQEAAY' +
  'AB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAKOrgQPoANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAKOrgQfQ' +
  'ANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAKOrgQu4ANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6' +
  'v/TnAKOrgQ+gANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAKOngROIANEBAAEQNBRgAHlf0DABBDgA/vBRCwn/sHf/' +
  '+g7//0Hf6cAAH0O2dUEe54JGUKOrgQAAANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAKOrgQPoANEBAAEQEAAYAB5X' +
  '9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAKO3gQfQgHACAJ0BKiAAEgAARwiFhYiZhIgCAgJ08sZmYtgA/vk2y2UCet//0+r//p9X//T6' +
  'v/TnAKOrgQu4ANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAKOrgQ+gANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//' +
  '0+r//p9X//T6v/TnAKOrgROIANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAB9DtnVBEOeCXcCjq4EAAADRAQABEBAA' +
  'GAAeV/QMAEEOAP75NstlAnrf/9Pq//6fV//0+r/05wCjq4ED6ADRAQABEBAAGAAeV/QMAEEOAP75NstlAnrf/9Pq//6fV//0+r/05wCjq4EH' +
  '0ADRAQABEBAAGAAeV/QMAEEOAP75NstlAnrf/9Pq//6fV//0+r/05wCjqYELuADRAQABECgUYAB5X9AwAQQ4AP7x3FJuw7//c4H/+zgf/7OB' +
  '/EgAo6uBD6AA0QEAARAQABgAHlf0DABBDgD++TbLZQJ63//T6v/+n1f/9Pq/9OcAo6uBE4gA0QEAARAQABgAHlf0DABBDgD++TbLZQJ63//T' +
  '6v/+n1f/9Pq/9OcAH0O2dUEe54J1MKO3gQAAgHACAJ0BKiAAEgAARwiFhYiZhIgCAgJ08sZmYtgA/vk2y2UCet//0+r//p9X//T6v/TnAKOr' +
  'gQPoANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAKOrgQfQANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X' +
  '//T6v/TnAKOrgQu4ANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAKOrgQ+gANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UC' +
  'et//0+r//p9X//T6v/TnAKOrgROIANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAB9DtnVBHOeCjKCjq4EAAADRAQAB' +
  'EBAAGAAeV/QMAEEOAP75NstlAnrf/9Pq//6fV//0+r/05wCjqYED6ADRAQABEBwUYAB5X9AwAQQ4AP72P7snel//xlT//GVP/8ZU/4uYo6uB' +
  'B9AA0QEAARAQABgAHlf0DABBDgD++TbLZQJ63//T6v/+n1f/9Pq/9OcAo6uBC7gA0QEAARAQABgAHlf0DABBDgD++TbLZQJ63//T6v/+n1f/' +
  '9Pq/9OcAo7eBD6CAcAIAnQEqIAASAABHCIWFiJmEiAICAnTyxmZi2AD++TbLZQJ63//T6v/+n1f/9Pq/9OcAo6uBE4gA0QEAARAQABgAHlf0' +
  'DABBDgD++TbLZQJ63//T6v/+n1f/9Pq/9OcAH0O2dUEV54KkEKOrgQAAANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/Tn' +
  'AKOrgQPoANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAKOrgQfQANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r/' +
  '/p9X//T6v/TnAKOrgQu4ANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAKOrgQ+gANEBAAEQEAAYAB5X9AwAQQ4A/vk2' +
  'y2UCet//0+r//p9X//T6v/TnAKOugROIAPEBAAEQFBRgIANQARt0kEaBAP73xEblDv/+Zef/zLz/+Zef8xSoX2fggB9DtnVBHOeCu4CjqoEA' +
  'AADRAQABEBAAGAAeV/QMAEEOAP75NstedSk//p9X/9Pq//p9X/pzgKOqgQPoANEBAAEQEAAYAB5X9AwAQQ4A/vk2y151KT/+n1f/0+r/+n1f' +
  '+nOAo7eBB9CAcAIAnQEqIAASAABHCIWFiJmEiAICAnTyxmZi2AD++TbLZQJ63//T6v/+n1f/9Pq/9OcAo6uBC7gA0QEAARAQABgAHlf0DABB' +
  'DgD++TbLZQJ63//T6v/+n1f/9Pq/9OcAo6uBD6AA0QEAARAQABgAHlf0DABBDgD++TbLZQJ63//T6v/+n1f/9Pq/9OcAo6uBE4gA0QEAARAQ' +
  'ABgAHlf0DABBDgD++TbLZQJ63//T6v/+n1f/9Pq/9OcAH0O2dUES54LS8KOrgQAAANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X' +
  '//T6v/TnAKOrgQPoANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnAKOrgQfQANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UC' +
  'et//0+r//p9X//T6v/TnAKOrgQu4ANEBAAEQEBRgAHlf0DABBDgA/vk2y2UCet//0+r//p9X//T6v/TnAKOrgQ+gANEBAAEQEAAYAB5X9AwA' +
  'QQ4A/vk2y2UCet//0+r//p9X//T6v/TnAKOrgROIANEBAAEQEAAYAB5X9AwAQQ4A/vk2y2UCet//0+r//p9X//T6v/TnABxTu2vru4+zgQC3' +
  'iveBAfGCAaDwgQO7kLOCJxC3iveBAfGCArbwgbO7kLOCTiC3iveBAfGCBOnwgV67kLOCdTC3iveBAfGCByPwgQS7kLOCnEC3iveBAfGCCEfw' +
  'gba7kLOCw1C3iveBAfGCCoTwgVw='
