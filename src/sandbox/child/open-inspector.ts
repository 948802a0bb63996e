import inspector from 'node:inspector';
import type { Order } from '../wire/control-channel.js';

/** Only the child that answers holds the debugger's port: the one before it lets go first. */
export function operateInspector(
  order: Extract<Order, { type: 'open-inspector' | 'close-inspector' }>,
  closed: () => void,
): void {
  if (order.type === 'open-inspector') {
    inspector.open(order.port, '127.0.0.1');
    return;
  }
  inspector.close();
  closed();
}
