// Written by the owner of `webhooks`.
export interface DeliveryStore {
  close?(): void;
}
