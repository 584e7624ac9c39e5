import {
  nameEncodings,
  type ChosenEncoding,
  type NameEncoding,
} from '../../../shared/domain/name-encodings.ts'
import { t } from '../../i18n/translate.ts'

type EncodingOption = { readonly value: ChosenEncoding; readonly label: string }

/**
 * Returns the encodings between which a user can choose for the names in an archive. `recognized` is the encoding that the
 * server has recognized.
 */
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
