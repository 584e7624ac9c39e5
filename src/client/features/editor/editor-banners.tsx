import { Info } from 'lucide'
import { t } from '../../i18n/translate.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { DraftBanner } from './draft-banner.tsx'
import type { ChangesOfOthers } from './use-changes-of-others.ts'
import type { DraftOffer } from './use-draft.ts'

type EditorBannersProps = {
  readonly draft: DraftOffer | null
  readonly others: ChangesOfOthers
  readonly isReadOnly: boolean
}

/** Renders the banners of an editor: an earlier draft, changes by others, and a missing permission. */
export const EditorBanners = ({ draft, others, isReadOnly }: EditorBannersProps) => (
  <>
    {draft !== null && <DraftBanner draft={draft} />}
    {others.change !== null && (
      <Banner kind="warning" isAlert actions={<Button onClick={others.dismiss}>{t('buttons.close')}</Button>}>
        {t(`editor.others.${others.change}`)}
      </Banner>
    )}
    {isReadOnly && <Banner icon={Info}>{t('editor.readOnly')}</Banner>}
  </>
)
