import type { ExtractedRecord } from '../../../shared/domain/result.ts'

/** Sets an own property, even for names such as `__proto__`. */
export function setOwn(record: ExtractedRecord, name: string, value: ExtractedRecord[string]): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
}
