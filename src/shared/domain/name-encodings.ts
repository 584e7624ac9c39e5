/** The encodings of names in archives that declare none, with the languages for which they were used. */
export const nameEncodings = [
  'utf-8',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
  'windows-1251',
  'ibm866',
  'koi8-r',
  'windows-1252',
  'windows-1250',
  'cp437',
  'cp850',
] as const

export type NameEncoding = (typeof nameEncodings)[number]

/** The encoding that a user has chosen. An empty text lets the server recognize the encoding. */
export type ChosenEncoding = NameEncoding | ''

/** Returns the query that requests names in an encoding. */
export const encodingQuery = (encoding: ChosenEncoding): { readonly encoding?: NameEncoding } =>
  encoding === '' ? {} : { encoding }
