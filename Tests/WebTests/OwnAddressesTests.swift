import Testing

@testable import Web

struct OwnAddressesTests {
  @Test func `the address that leads to the internet is the first, and one that no router gave the last`() {
    let found = [
      (name: "docker0", address: "172.17.0.1"), (name: "eth1", address: "169.254.3.4"),
      (name: "wlan0", address: "192.0.2.7"), (name: "eth0", address: "10.0.0.5"),
    ]
    let head = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
    let routes =
      head + "wlan0\t000200C0\t00000000\t0001\t0\t0\t600\t00FFFFFF\t0\t0\t0\n"
      + "wlan0\t00000000\t010200C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n"
    #expect(
      OwnAddresses.sorted(found, routes: routes) == ["192.0.2.7", "172.17.0.1", "10.0.0.5", "169.254.3.4"])
    for routes in ["", "wlan0", head] {
      #expect(OwnAddresses.sorted(found, routes: routes).first == "172.17.0.1", "\(routes)")
    }
    for address in OwnAddresses.all() { #expect(ClientNetwork(address)?.isLoopback == false) }
  }
}
