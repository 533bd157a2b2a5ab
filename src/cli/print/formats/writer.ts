import type { Sink } from '../../../platform/terminal/streams.ts';
import type { ListDocument, RecordDocument } from '../document.ts';
import type { PrintSettings } from '../print-settings.ts';

/** Writes documents in one format; both methods return how many records stdout accepted. */
export interface Writer {
  list(document: ListDocument, settings: PrintSettings, stdout: Sink): Promise<number>;
  record(document: RecordDocument, settings: PrintSettings, stdout: Sink): Promise<number>;
}
