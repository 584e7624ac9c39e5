import { t } from '../../../i18n/translate.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { ViewerMessage } from './viewer-message.tsx'

/** Shows that a viewer is loading its file. */
export const ViewerLoading = () => (
  <ViewerMessage>
    <Spinner size="large" />
    <output>{t('shell.loading')}</output>
  </ViewerMessage>
)
