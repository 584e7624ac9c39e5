import { nameEncodings, type NameEncoding } from '../../shared/domain/name-encodings.ts'
import { t } from './translate.ts'

/** The encoding that a user has chosen for names in an archive. An empty text lets the server recognize the encoding. */
export type ChosenEncoding = NameEncoding | ''

type EncodingOption = { readonly value: ChosenEncoding; readonly label: string }

/** Returns the encodings between which a user can choose. `recognized` is the encoding that the server has recognized. */
export const encodingOptions = (recognized: NameEncoding | null = null): readonly EncodingOption[] => [
  {
    value: '',
    label:
      recognized === null
        ? t('encoding.automatic')
        : t('encoding.recognized', { encoding: t(`encoding.${recognized}`) }),
  },
  ...nameEncodings.map((value) => ({ value, label: t(`encoding.${value}`) })),
]

/** Returns the query that requests names in an encoding. */
export const encodingQuery = (encoding: ChosenEncoding): { readonly encoding?: NameEncoding } =>
  encoding === '' ? {} : { encoding }
