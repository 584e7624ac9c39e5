import { formatDate } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import type { DraftOffer } from './use-draft.ts'

/** Offers the text of an earlier visit that was not saved. */
export const DraftBanner = ({ draft: { savedAtMs, restore, discard } }: { readonly draft: DraftOffer }) => (
  <Banner
    kind="warning"
    isAlert
    actions={
      <>
        <Button onClick={discard}>{t('editor.discard')}</Button>
        <Button kind="primary" onClick={restore}>
          {t('editor.draft.restore')}
        </Button>
      </>
    }
  >
    {t('editor.draft.found', { time: formatDate(savedAtMs) })}
  </Banner>
)
