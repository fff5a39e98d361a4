/** A kind of purchase other than goods for resale. */
export interface Overhead {
  readonly trade: string
  readonly account: string
  readonly tax: string
  /** In percent. */
  readonly vat: number
  readonly text: string
  /** In kroner. */
  readonly median: number
  /** Bearer of the cost. */
  readonly of: 'branch' | 'vehicles' | 'people' | 'office' | 'project' | 'workshop' | 'warehouse'
}

/** Trade, account, tax code, VAT, text, median, cost bearer, and relative frequency. */
const LIST = `
Energy;6340;1;25;Electricity and grid rent;14200;branch;6
Energy;7015;1;25;Charging of vehicles;1850;vehicles;4
Property;6300;1;25;Rent of premises;68000;branch;3
Property;6390;1;25;Shared costs of premises;9800;branch;2
Telecom;6910;1;25;Mobile subscriptions;3900;people;5
Telecom;6920;1;25;Broadband and lines;2490;branch;4
Cleaning;6360;1;25;Cleaning;5600;branch;5
Software;6420;1;25;Software subscription;8700;office;4
Software;6552;1;25;Software licences;16500;office;2
Cloud;6553;86;0;Cloud services;3400;office;4
Consulting;6730;1;25;Consultants, hours;38000;office;3
Consulting;6720;1;25;Legal advice;24000;office;1
Staffing;4520;1;25;Hired fitters;46000;project;4
Staffing;6750;1;25;Temporary staff;21000;people;2
Audit;6700;1;25;Audit;55000;office;1
Insurance;7500;0;0;Insurance premium;18500;branch;1
Insurance;7040;0;0;Vehicle insurance;1420;vehicles;2
Fuel;7005;1;25;Diesel, vans;940;vehicles;12
Fuel;7000;1;25;Diesel, lorries;3100;vehicles;6
Workwear;5940;1;25;Work clothes and safety shoes;2650;people;5
Catering;5910;11;15;Canteen and meetings;1980;people;5
Travel;7140;13;12;Tickets;2350;people;8
Travel;7145;13;12;Hotel;1690;people;6
Waste;6260;1;25;Industrial waste;3300;branch;4
Calibration;6560;1;25;Calibration of test equipment;4800;workshop;3
Contractors;4500;1;25;Groundwork and concrete;92000;project;3
Contractors;4500;1;25;Pipe laying, subcontractor;61000;project;3
Fleet;6440;1;25;Lease of vans;5200;vehicles;4
Fleet;7025;1;25;Service and tyres;3900;vehicles;5
Office Supplies;6800;1;25;Office supplies;860;office;5
Advertising;7320;1;25;Advertising;12500;office;2
Security;6350;1;25;Guarding and alarm;2900;branch;3
Transport;6100;1;25;Outward freight;2750;warehouse;14
Transport;4360;1;25;Inward freight;4100;warehouse;8
Pumps;6520;1;25;Consumables for the workshop;1250;workshop;5
Pumps;6620;1;25;Repair of test rig;7800;workshop;2
`

/** Each kind occurs in the list as often as its frequency says. */
export function overheadKinds(): Overhead[] {
  return LIST.trim()
    .split('\n')
    .flatMap((row) => {
      const [trade = '', account = '', tax = '', vat, text = '', median, of, frequency] = row.split(';')
      const amounts = { vat: Number(vat), median: Number(median) }
      const kind: Overhead = { trade, account, tax, text, ...amounts, of: of as Overhead['of'] }
      return Array<Overhead>(Number(frequency)).fill(kind)
    })
}
