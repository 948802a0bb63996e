import { eachDeliveryStore } from '../each-store.js';
import { deliveryContract } from './delivery-contract.js';

eachDeliveryStore(deliveryContract);
