import type { Ports } from '../../action/ports.ts';
import { allSaved, savedOrFile } from '../../batch/actions/map/mappings.ts';
import { builtInLayouts } from '../sheet/built-in.ts';
import { layoutOf, type PaymentLayout } from '../sheet/layout.ts';

type LayoutPorts = Pick<Ports, 'files' | 'places' | 'workingDirectory'>;

/** The layout of a name: built in, saved, or in a file. Throws a FileError and a SheetError. */
export async function layoutNamed(name: string, ports: LayoutPorts): Promise<PaymentLayout> {
  const own = builtInLayouts.find((layout) => layout.name === name);
  if (own !== undefined) return own;
  const layout = await savedOrFile(name, ports, 'layouts', layoutOf);
  return { ...layout, name };
}

/** Every layout: those that are built in, and those that were saved. */
export async function allLayouts(ports: LayoutPorts): Promise<PaymentLayout[]> {
  const saved = await allSaved(ports, 'layouts', layoutOf);
  return [...builtInLayouts, ...saved.map(([name, layout]) => ({ ...layout, name }))];
}
