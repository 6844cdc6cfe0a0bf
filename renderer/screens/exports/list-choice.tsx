import type { ReactNode } from 'react'
import { Label, Radio, RadioGroup, Text } from 'react-aria-components'
import { listLayouts } from '../../../shared/contract/exports.ts'
import type { ExportSpec, ListLayout } from '../../../shared/contract/exports.ts'
import { WholeNumber } from '../../components/whole-number.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'

/** What becomes of line items, in words for a format. */
export function listLayoutLabels(format: ExportSpec['format']): Record<ListLayout, MessageId> {
  return {
    rows: 'exports.listsRows',
    sheets: format === 'csv' ? 'exports.listsFiles' : 'exports.listsSheets',
    text: 'exports.listsText',
    columns: 'exports.listsColumns',
  }
}

type Props = {
  lists: ListLayout
  limit: number
  format: ExportSpec['format']
  onChange: (lists: ListLayout) => void
  onLimit: (limit: number) => void
}

/** What becomes of the rows of a list. */
export function ListChoice({ lists, limit, format, onChange, onLimit }: Props): ReactNode {
  const { t } = useLanguage()
  const labels = listLayoutLabels(format)
  return (
    <>
      <RadioGroup className="radio-list" value={lists} onChange={(value) => onChange(value as ListLayout)}>
        <Label className="label">{t('exports.lists')}</Label>
        {listLayouts.map((layout) => (
          <Radio key={layout} value={layout} className="radio-line">
            <span className="radio-card__dot" aria-hidden="true" />
            {t(labels[layout])}
          </Radio>
        ))}
        {lists === 'rows' && (
          <Text slot="description" className="hint">
            {t('exports.listsRepeat')}
          </Text>
        )}
      </RadioGroup>
      {lists === 'columns' && (
        <WholeNumber
          label={t('exports.listLimit')}
          hint={t('exports.listLimitHint')}
          value={limit}
          least={1}
          most={100}
          onChange={onLimit}
        />
      )}
    </>
  )
}
