import type { ReactNode } from 'react'
import { programsWithDates, supplierAccounts } from '../../../shared/domain/bill-settings.ts'
import type { BillProgram } from '../../../shared/domain/bill-settings.ts'
import { Select, TextField } from '../../components/controls.tsx'
import { exportFormatNames } from '../../messages/export-formats.ts'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { wrongInBill } from './bill-draft.ts'
import type { BillDraft } from './bill-draft.ts'

const hints: Record<BillProgram, MessageId> = {
  lexware: 'bills.hintLexware',
  sage: 'bills.hintSage',
  xero: 'bills.hintXero',
  quickbooks: 'bills.hintQuickbooks',
}

type Props = { program: BillProgram; draft: BillDraft; onChange: (draft: BillDraft) => void }

/** What a program of bookkeeping has to know of an office. */
export function BillForm({ program, draft, onChange }: Props): ReactNode {
  const { t } = useLanguage()
  const wrong = wrongInBill(program, draft)
  const name = exportFormatNames[program]
  return (
    <div className="bookkeeping">
      <p className="hint">{t(hints[program])}</p>
      <div className="bookkeeping__pair">
        <TextField
          label={t('bills.currency')}
          value={draft.currency}
          onChange={(currency) => onChange({ ...draft, currency })}
          problem={wrong.has('currency') ? t('bills.wrongCurrency') : null}
        />
        {supplierAccounts[program] && (
          <TextField
            label={t('bills.supplier')}
            value={draft.supplier}
            onChange={(supplier) => onChange({ ...draft, supplier })}
            problem={wrong.has('supplier') ? t('bills.wrongSupplier', { program: name }) : null}
          />
        )}
        {programsWithDates.has(program) && (
          <Select<BillDraft['dates']>
            label={t('bills.dates')}
            value={draft.dates}
            onChange={(dates) => onChange({ ...draft, dates })}
            choices={[
              { key: 'day', label: t('bills.datesDay') },
              { key: 'month', label: t('bills.datesMonth') },
            ]}
          />
        )}
      </div>
      <Rates program={program} draft={draft} wrong={wrong} onChange={onChange} />
    </div>
  )
}

/** A line for each rate of tax: to which account it belongs, and what the program calls the tax. */
function Rates({ program, draft, wrong, onChange }: Props & { wrong: ReadonlySet<string> }): ReactNode {
  const { t } = useLanguage()
  const isLexware = program === 'lexware'
  const change = (at: number, part: Partial<BillDraft['rates'][number]>): void =>
    onChange({ ...draft, rates: draft.rates.map((rate, place) => (place === at ? { ...rate, ...part } : rate)) })
  const taxIn = { program: exportFormatNames[program] }
  return (
    <div className="rates">
      <span className="label">{t('bills.percent')}</span>
      <span className="label">{t('bills.account')}</span>
      <span className="label">{isLexware ? t('bills.taxKey') : t('bills.taxCode', taxIn)}</span>
      {draft.rates.map(({ percent, account, taxCode }, at) => {
        const row = String(at + 1)
        return [
          <TextField
            key={`percent ${row}`}
            label={t('bills.percentOf', { row })}
            labelHidden
            value={percent}
            onChange={(next) => change(at, { percent: next })}
            problem={wrong.has(`percent ${at}`) ? t('bills.wrongPercent') : null}
          />,
          <TextField
            key={`account ${row}`}
            label={t('bills.accountOf', { row })}
            labelHidden
            value={account}
            onChange={(next) => change(at, { account: next })}
          />,
          <TextField
            key={`tax ${row}`}
            label={isLexware ? t('bills.taxKeyOf', { row }) : t('bills.taxCodeOf', { ...taxIn, row })}
            labelHidden
            value={taxCode}
            onChange={(next) => change(at, { taxCode: next })}
          />,
        ]
      })}
    </div>
  )
}
